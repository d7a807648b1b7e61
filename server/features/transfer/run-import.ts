/** Imports the parts of a file, each in its own transaction; the parts that remain are those not imported yet. */
import type { TransactionSql } from '../../core/database/database.ts'
import type { Deps } from '../../core/deps.ts'
import { currentRules } from '../moderation/public-api.ts'
import { addStates } from './created-state.ts'
import {
  importCollectionPart,
  importProfilePart,
  importSmartCollectionPart,
} from './import-container-parts.ts'
import { nameItem, type PartContext, type PartDependencies } from './import-items.ts'
import { usePictures } from './import-pictures.ts'
import {
  claimImport,
  finishImport,
  finishPart,
  type ImportClaim,
  type ImportKind,
  importKinds,
  lockImport,
  nextPart,
} from './import-queries.ts'
import type { ItemOutcome, ReportItem } from './import-report.ts'
import {
  importBlockPart,
  importFollowedCollectionPart,
  importFollowedTagPart,
  importFollowPart,
  importMutedTagPart,
  importMutedUserPart,
} from './import-user-parts.ts'
import {
  importBookmarkPart,
  importLikePart,
  importNotePart,
  importPositionPart,
  importWatchedPart,
} from './import-video-parts.ts'
import { rejected } from './item-outcomes.ts'
import { MalformedFile } from './json-stream.ts'
import { prepareImport } from './prepare-import.ts'
import { fetchSource } from './sources/fetch-source.ts'
import { undoImport } from './undo-import.ts'

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'log' | 'media' | 'outbound' | 'settings'>

/** Reads the address of an import, runs it, or undoes it, until it is finished or the claim is lost. A later run continues where it stopped. */
export async function runImport(needs: Dependencies, importId: number): Promise<void> {
  const claim = await claimImport(needs.db, importId)
  if (claim === null) return
  if (claim.state === 'fetching') return fetchSource(needs, claim)
  if (claim.state === 'undoing') return undoImport(needs, claim)
  try {
    // As below, this only changes the import of a banned or suspended user.
    if (!(await prepareImport(needs.db, claim))) return finishImport(needs.db, claim, 'failed')
  } catch (error) {
    if (!(error instanceof MalformedFile)) throw error
    // The file was readable at its upload, but took too long this time.
    needs.log.warn({ err: error, import_id: claim.id }, 'the file of an import could not be read')
    return finishImport(needs.db, claim, 'failed')
  }
  for (const kind of importKinds) {
    let state: 'more' | 'none' | 'over' = 'more'
    while (state === 'more') {
      const withRules = { ...needs, rules: await currentRules(needs.db) }
      state = await needs.db
        .begin((tx) => importNextPart(withRules, tx, claim, kind, importPart))
        .catch((error: unknown) => {
          if (!isDataError(error)) throw error
          return needs.db.begin((tx) => importNextPart(withRules, tx, claim, kind, importRowByRow))
        })
    }
    // Marks the import of a banned or suspended user as failed. Changes nothing if the user was deleted or the claim lost.
    if (state === 'over') return finishImport(needs.db, claim, 'failed')
  }
  await finishImport(needs.db, claim, (await usePictures(needs, claim)) ? 'done' : 'failed')
}

/** Returns whether the database refused a row (error classes 22 and 23), so that a retry would fail, too. */
function isDataError(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string } | null)?.code ?? '')
}

async function importNextPart(
  needs: PartDependencies,
  tx: TransactionSql,
  claim: ImportClaim,
  kind: ImportKind,
  importItems: typeof importPart,
): Promise<'more' | 'none' | 'over'> {
  if (!(await lockImport(tx, claim))) return 'over'
  const part = await nextPart<never>(tx, claim, kind)
  if (part === null) return 'none'
  const report = await importItems({ needs, tx, claim }, kind, part)
  await finishPart(tx, claim, { kind, ...part }, await addStates(tx, claim.user_id, report))
  return 'more'
}

interface Part {
  number: number
  items: never[]
}

/** Imports each row separately, so that one that passes validation but not the database does not affect the others. */
async function importRowByRow(
  context: PartContext<TransactionSql>,
  kind: ImportKind,
  { number, items }: Part,
): Promise<ReportItem[]> {
  const { needs, tx, claim } = context
  const report: ReportItem[] = []
  for (const [index, item] of items.entries()) {
    const position = number + index
    try {
      report.push(
        ...(await tx.savepoint((inner) =>
          importPart({ needs, tx: inner, claim }, kind, { number: position, items: [item] }),
        )),
      )
    } catch (error) {
      if (!isDataError(error)) throw error
      needs.log.error({ err: error, import_id: claim.id, kind, position }, 'a row of an import was refused')
      report.push({ ...nameItem(kind, item, position), ...rejected("This item couldn't be saved.") })
    }
  }
  return report
}

/** Imports a part and returns the report on its items. */
async function importPart(
  context: PartContext<TransactionSql>,
  kind: ImportKind,
  { number, items }: Part,
): Promise<ReportItem[]> {
  if (kind === 'collections') return importCollectionPart(context, items, number)
  const outcomes = await importers[kind](context, items)
  return items.map((item, index) => ({
    ...nameItem(kind, item, number + index),
    ...(outcomes[index] ?? rejected("This item couldn't be saved.")),
  }))
}

/** Each returns the outcomes of its items in their order. */
const importers: Record<
  Exclude<ImportKind, 'collections'>,
  (context: PartContext<TransactionSql>, items: never[]) => Promise<ItemOutcome[]>
> = {
  profile: importProfilePart,
  bookmarks: importBookmarkPart,
  timed_notes: importNotePart,
  likes: importLikePart,
  watched: importWatchedPart,
  playback_positions: importPositionPart,
  blocked: importBlockPart,
  following: importFollowPart,
  followed_collections: importFollowedCollectionPart,
  followed_tags: importFollowedTagPart,
  muted_users: importMutedUserPart,
  muted_tags: importMutedTagPart,
  smart_collections: importSmartCollectionPart,
}
