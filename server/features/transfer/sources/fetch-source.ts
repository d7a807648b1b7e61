/** Reads the videos of the web address of an import, and sums them up for the review. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Deps } from '../../../core/deps.ts'
import { cleanLine } from '../formats/imported-item.ts'
import { writeSourceFile } from '../formats/source-file.ts'
import { storeUpload } from '../formats/uploaded-file.ts'
import type { ImportClaim } from '../import-queries.ts'
import { summarise } from '../upload-foreign.ts'
import { nothingFound, readSource, SourceError } from './read-source.ts'
import { failSourceImport, openSourceReview, touchSourceImport } from './source-queries.ts'

/** Another process claimed the import, or its user stopped it. */
class ClaimLost extends Error {}

/** Characters of the title of a list in the name of an import. */
const maxTitle = 100

/** @throws if the database is unreachable. Then another attempt follows. */
export async function fetchSource(
  { db, outbound }: Pick<Deps, 'db' | 'outbound'>,
  claim: ImportClaim,
  options: { pause?: number } = {},
): Promise<void> {
  const link = claim.source_url
  if (link === null) return
  const onRequest = async () => {
    if (!(await touchSourceImport(db, claim))) throw new ClaimLost()
  }
  try {
    const { title, items, isVideoList, missing } = await readSource(outbound, link, { ...options, onRequest })
    if (items.length === 0) throw nothingFound()
    const host = new URL(link).hostname.replace(/^www\./, '')
    const name = cleanLine(title, maxTitle)
    const label = name === '' ? host : `${name} (${host})`
    const detected = { format: isVideoList ? ('video-list' as const) : ('feed' as const), label }
    // Imported in this order, so that the first item of the address is the newest bookmark.
    const rows = items.toReversed().map((item) => ({ ...item, folders: name === '' ? [] : [name] }))
    await using upload = await storeUpload(writeSourceFile(rows), limits.importMax)
    const summary = await summarise(db, claim.user_id, upload, detected)
    const file = { format: label, detected, ignored_files: 0, summary, columns: null, total: 0 }
    await db.begin((tx) => openSourceReview(tx, claim, upload, { ...file, failure: missing }))
  } catch (error) {
    if (error instanceof ClaimLost) return
    if (!(error instanceof SourceError)) throw error
    await failSourceImport(db, claim, error.message)
  }
}
