/**
 * The pictures in a zip file of our own: stored with the import, and used for the bookmarks that it creates. A picture becomes that
 * of its user's bookmark only, like one that they upload: another user's bookmark of the video, and the video, stay as they are.
 */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import type { Deps } from '../../core/deps.ts'
import { type Picture, PictureError, processPicture } from '../../core/media/process.ts'
import { canonicalUrl } from '../../core/video-links/canonical-url.ts'
import { hasLead } from '../../shared/visibility.ts'
import {
  deleteThumbnail,
  isRefusedPicture,
  lockOwnBookmarks,
  setImportedThumbnail,
  storeThumbnail,
} from '../bookmarks/public-api.ts'
import { reportHeldUser } from '../moderation/public-api.ts'
import type { SourceFile } from './formats/uploaded-file.ts'
import { type ImportClaim, lockImport } from './import-queries.ts'
import type { NamedPictures } from './upload-import.ts'

/** How many pictures one query looks up. */
const lookupBatch = 200

/**
 * Stores the pictures of a zip file that bookmarks name and whose videos have none, and returns how many. Others are not read.
 * Videos without a public bookmark count as without a picture, because the number would reveal that another user has them.
 * @throws MalformedFile
 */
export async function storePictures(
  db: Db,
  importId: number,
  entries: readonly SourceFile[],
  named: NamedPictures,
): Promise<number> {
  const candidates = entries.filter(({ name, size }) => named.has(name ?? '') && size <= limits.thumbnailMax)
  let stored = 0
  for (let start = 0; start < candidates.length; start += lookupBatch) {
    const batch = candidates.slice(start, start + lookupBatch)
    const links = batch.map(({ name }) => canonicalUrl(named.get(name ?? '') ?? ''))
    const rows = await db<{ has_picture: boolean }[]>`
      select exists (select from videos v where v.canonical_hash = url_hash(link) and v.thumbnail_key is not null and ${hasLead(db)}) as has_picture
        from unnest(${links}::text[]) with ordinality as l (link, position) order by position`
    for (const [index, entry] of batch.entries()) {
      if (rows[index]?.has_picture !== false) continue
      const pieces: Buffer[] = []
      for await (const piece of entry.open()) pieces.push(piece)
      // Of entries with the same name, the first is used.
      const { count } = await db`
        insert into import_pictures (import_id, name, data)
        values (${importId}, ${entry.name}, ${Buffer.concat(pieces)}) on conflict do nothing`
      await db`update imports set heartbeat_at = now() where id = ${importId}`
      stored += count
    }
  }
  return stored
}

/** Records which bookmarks of the import the pictures belong to. */
export async function assignPictures(
  tx: Db,
  importId: number,
  bookmarks: readonly { name: string; bookmark_id: number }[],
): Promise<void> {
  if (bookmarks.length === 0) return
  await tx`
    update import_pictures p set bookmark_id = r.bookmark_id
      from json_to_recordset(${JSON.stringify(bookmarks)}::text::json) as r (name text, bookmark_id bigint)
     where p.import_id = ${importId} and p.name = r.name`
}

type Dependencies = Pick<Deps, 'db' | 'log' | 'media'>

/**
 * Gives the pictures to the bookmarks that still have none, one after the other. A picture that cannot be decoded, or is refused, is
 * left out. Returns false if the claim was lost.
 */
export async function usePictures(needs: Dependencies, claim: ImportClaim): Promise<boolean> {
  const { db } = needs
  if (!(await dropPictures(db, claim, db`bookmark_id is null`))) return false
  let last = ''
  for (;;) {
    // After the last one, because the rows of those that were used remain.
    const [next] = await db<{ name: string; data: Buffer; bookmark_id: number }[]>`
      select name, data, bookmark_id from import_pictures
       where import_id = ${claim.id} and name > ${last} and data is not null and bookmark_id is not null
       order by name limit 1`
    if (next === undefined) return true
    last = next.name
    const picture = await readPicture(next.data)
    const isRefused = picture !== null && (await isRefusedPicture(db, picture))
    const isOurs =
      picture === null || isRefused
        ? await dropPictures(db, claim, db`name = ${next.name}`, isRefused)
        : await usePicture(needs, claim, next, picture)
    if (!isOurs) return false
  }
}

async function readPicture(data: Buffer): Promise<Picture | null> {
  try {
    return await processPicture(data)
  } catch (error) {
    if (error instanceof PictureError) return null
    throw error
  }
}

/** Stores a picture as that of a bookmark, unless it got another one meanwhile. Returns false if the claim was lost. */
async function usePicture(
  { db, media }: Dependencies,
  claim: ImportClaim,
  { name, bookmark_id }: { name: string; bookmark_id: number },
  picture: Picture,
): Promise<boolean> {
  const keys = await storeThumbnail(media, picture)
  let isUsed = false
  try {
    const isOurs = await db.begin(async (tx) => {
      if (!(await lockImport(tx, claim))) return false
      await lockOwnBookmarks(tx, claim.user_id, [bookmark_id])
      isUsed = await setImportedThumbnail(tx, claim.user_id, bookmark_id, keys, picture)
      const isPicture = tx`import_id = ${claim.id} and name = ${name}`
      await (isUsed
        ? tx`update import_pictures set data = null, hash = ${picture.hash}::bit(64) where ${isPicture}`
        : tx`delete from import_pictures where ${isPicture}`)
      await tx`update imports set done = done + 1 where id = ${claim.id}`
      return true
    })
    if (!isUsed) await deleteThumbnail(media, keys)
    return isOurs
  } catch (error) {
    await deleteThumbnail(media, keys)
    throw error
  }
}

const refusedNote = 'A picture in an imported file closely matches a picture that was permanently blocked.'

/** Deletes pictures that are not used, in batches. Returns false if the claim was lost. */
async function dropPictures(
  db: Deps['db'],
  claim: ImportClaim,
  condition: Fragment,
  isRefused = false,
): Promise<boolean> {
  for (;;) {
    const dropped = await db.begin(async (tx) => {
      if (!(await lockImport(tx, claim))) return null
      if (isRefused) await reportHeldUser(tx, claim.user_id, refusedNote)
      const { count } = await tx`
        delete from import_pictures
         where import_id = ${claim.id} and name in (
           select name from import_pictures where import_id = ${claim.id} and ${condition} limit 50)`
      await tx`update imports set done = done + ${count} where id = ${claim.id}`
      return count
    })
    if (dropped === null) return false
    if (dropped === 0 || isRefused) return true
  }
}
