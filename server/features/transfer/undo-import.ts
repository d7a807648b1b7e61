/** Undoes an import: deletes what it created and nobody changed since, batch by batch of its report, the last one first. */
import type { Sql, TransactionSql } from '../../core/database/database.ts'
import type { Deps } from '../../core/deps.ts'
import { ApiError } from '../../core/http/errors.ts'
import { trashOwnBookmarks } from '../bookmarks/public-api.ts'
import { deleteContainer } from '../collections/public-api.ts'
import { restoreContainers } from './container-changes.ts'
import { type CreatedKind, groupCreated, readStates } from './created-state.ts'
import { finishImport, type ImportClaim, lockImport } from './import-queries.ts'
import {
  addCounts,
  countOutcomes,
  importedOutcomes,
  outcomesOf,
  type ReportItem,
  subtractCounts,
} from './import-report.ts'

/** Larger than the number of every batch. */
const maxNumber = 2 ** 31 - 1

/** Runs an undo until it is finished or the claim is lost. */
export async function undoImport({ db }: Pick<Deps, 'db'>, claim: ImportClaim): Promise<void> {
  let before = maxNumber
  for (;;) {
    const batch = await nextBatch(db, claim, before)
    if (batch === null) {
      return finishImport(db, claim, (await restoreContainers(db, claim)) ? 'undone' : 'failed')
    }
    const hasContainers = batch.items.some(({ kind }) => kind === 'collection' || kind === 'channel')
    const isOurs = await (hasContainers ? undoContainers : undoRows)(db, claim, batch)
    // Marks the undo of a banned or suspended user as failed. Changes nothing if the user was deleted or the claim lost.
    if (!isOurs) return finishImport(db, claim, 'failed')
    before = batch.number
  }
}

interface Batch {
  number: number
  items: ReportItem[]
}

/** Returns the last batch before a number with something that was created and is not undone yet. */
async function nextBatch(db: Sql, { id }: ImportClaim, before: number): Promise<Batch | null> {
  const [batch] = await db<Batch[]>`
    select number, items from import_reports
     where import_id = ${id} and number < ${before}::int and outcomes && ${[...importedOutcomes]}::text[]
     order by number desc limit 1`
  return batch ?? null
}

type CreatedItem = ReportItem & { created_id: number }

/** What became of each item: it was deleted, or it is retained for the reason. */
type Undone = Map<ReportItem, { outcome: 'undone' } | { outcome: 'retained'; reason: string }>

const changedText = 'You changed it after the import.'

/** The kinds whose rows a batch deletes with one statement. */
type RowKind = Exclude<CreatedKind, 'collection' | 'channel'>

/** Undoes a batch of rows other than collections and channels, in one transaction. Returns false if the claim was lost. */
function undoRows(db: Sql, claim: ImportClaim, batch: Batch): Promise<boolean> {
  return db.begin(async (tx) => {
    if (!(await lockImport(tx, claim))) return false
    const undone: Undone = new Map()
    for (const [kind, items] of groupCreated(batch.items.filter(isUndoable))) {
      const ids = items.map(({ created_id }) => created_id)
      let states = new Map<number, string>()
      const chooseUnchanged = async () => {
        states = await readStates(tx, claim.user_id, kind, ids)
        return items
          .filter((item) => states.get(item.created_id) === item.created_state)
          .map((item) => item.created_id)
      }
      const deleted = new Set(await deleteRows(tx, claim.user_id, kind as RowKind, ids, chooseUnchanged))
      for (const item of items) {
        // What no longer exists was deleted by the user.
        const isMissing = deleted.has(item.created_id) || !states.has(item.created_id)
        undone.set(item, isMissing ? { outcome: 'undone' } : { outcome: 'retained', reason: changedText })
      }
    }
    await finishBatch(tx, claim, batch, undone)
    return true
  })
}

function isUndoable({ outcome }: ReportItem): boolean {
  return importedOutcomes.includes(outcome)
}

/**
 * Locks rows like a deletion by the user, and deletes the chosen ones. Bookmarks and smart collections are moved to the trash.
 * @returns the ids of those deleted
 */
async function deleteRows(
  tx: TransactionSql,
  userId: number,
  kind: RowKind,
  ids: number[],
  choose: () => Promise<number[]>,
): Promise<number[]> {
  switch (kind) {
    case 'bookmark':
      return trashOwnBookmarks(tx, userId, ids, async () => withoutNotes(tx, userId, await choose()))
    case 'like':
      await tx`select from videos where id = any (${ids}::bigint[]) order by id for no key update`
      break
    case 'follow':
      await tx`select from users where id = any (${[...ids, userId]}::bigint[]) order by id for no key update`
      break
  }
  const chosen = await choose()
  if (chosen.length > 0) await deletions[kind](tx, userId, chosen)
  return chosen
}

/** Returns the bookmarks to which the user added no notes. Those of the import were deleted before. */
async function withoutNotes(tx: TransactionSql, userId: number, ids: number[]): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from unnest(${ids}::bigint[]) id
     where not exists (select from timed_notes n where n.bookmark_id = id and n.user_id = ${userId})`
  return rows.map(({ id }) => id)
}

const deletions: Record<
  Exclude<RowKind, 'bookmark'>,
  (tx: TransactionSql, userId: number, ids: number[]) => Promise<unknown>
> = {
  like: (tx, userId, ids) =>
    tx`delete from likes where user_id = ${userId} and video_id = any (${ids}::bigint[])`,
  history: (tx, userId, ids) =>
    tx`delete from watched_videos where user_id = ${userId} and video_id = any (${ids}::bigint[])`,
  position: (tx, userId, ids) =>
    tx`delete from playback_positions where user_id = ${userId} and video_id = any (${ids}::bigint[])`,
  timed_note: deletionOf('timed_notes'),
  follow: (tx, userId, ids) =>
    tx`delete from follows where follower_id = ${userId} and followee_id = any (${ids}::bigint[])`,
  block: (tx, userId, ids) =>
    tx`delete from blocks where blocker_id = ${userId} and blocked_id = any (${ids}::bigint[])`,
  followed_collection: deletionOf('followed_lists'),
  followed_tag: deletionOf('followed_lists'),
  muted_user: deletionOf('mutes'),
  muted_tag: deletionOf('mutes'),
  smart_collection: (tx, userId, ids) => tx`
    update smart_collections set deleted_at = now() where user_id = ${userId} and id = any (${ids}::bigint[])`,
}

/** Returns the deletion of rows of a table by their id. */
function deletionOf(table: 'timed_notes' | 'followed_lists' | 'mutes') {
  return (tx: TransactionSql, userId: number, ids: number[]): Promise<unknown> =>
    tx`delete from ${tx(table)} where user_id = ${userId} and id = any (${ids}::bigint[])`
}

/**
 * Deletes the collections and channels of a batch that are empty and unchanged, each like a deletion by the user. Channels first,
 * because a collection with a channel that the user changed is retained.
 */
async function undoContainers(db: Sql, claim: ImportClaim, batch: Batch): Promise<boolean> {
  const undone: Undone = new Map()
  const created = groupCreated(batch.items.filter(isUndoable))
  for (const kind of ['channel', 'collection'] as const) {
    for (const item of created.get(kind) ?? []) {
      if (!(await db.begin((tx) => lockImport(tx, claim)))) return false
      const reason = await deleteCreatedContainer(db, claim, kind, item)
      undone.set(item, reason === null ? { outcome: 'undone' } : { outcome: 'retained', reason })
    }
  }
  return db.begin(async (tx) => {
    if (!(await lockImport(tx, claim))) return false
    await finishBatch(tx, claim, batch, undone)
    return true
  })
}

/** Returns why a collection or channel is retained; null if it was deleted, now or before. */
async function deleteCreatedContainer(
  db: Sql,
  claim: ImportClaim,
  kind: 'collection' | 'channel',
  { created_id, created_state }: CreatedItem,
): Promise<string | null> {
  const userId = claim.user_id
  const state = (await readStates(db, userId, kind, [created_id])).get(created_id)
  if (state === undefined) return null
  if (state !== created_state) return changedText
  const [found] = await db<{ collection_id: number; has_channels: boolean }[]>`
    select c.id as collection_id,
           exists (select from channels ch where ch.collection_id = c.id) as has_channels
      from collections c
     where c.user_id = ${userId}
       and c.id = ${kind === 'collection' ? created_id : db`(select collection_id from channels where id = ${created_id})`}`
  if (found === undefined) return null
  if (kind === 'collection' && found.has_channels) return 'It has channels.'
  const channelId = kind === 'channel' ? created_id : null
  try {
    const deletion = { userId, collectionId: found.collection_id, channelId, choice: {} }
    // Moving the bookmarks that it has in the trash can take minutes. Without a heartbeat, another process would begin.
    await deleteContainer(db, deletion, () => db.begin((tx) => lockImport(tx, claim)))
    return null
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not-empty') return 'It has bookmarks.'
    if (error instanceof ApiError && error.code === 'last-collection') return 'It is your only collection.'
    throw error
  }
}

/** Stores what became of the items of a batch. Settings that were taken from the file have no earlier value to return to. */
async function finishBatch(
  tx: TransactionSql,
  { id }: ImportClaim,
  { number, items }: Batch,
  undone: Undone,
): Promise<void> {
  const finished = items.map((item): ReportItem => {
    if (!isUndoable(item)) return item
    const { reason: _, created_state: __, ...rest } = item
    return { ...rest, ...(undone.get(item) ?? { outcome: 'retained', reason: 'Settings stay as they are.' }) }
  })
  const changes = subtractCounts(countOutcomes(finished), countOutcomes(items))
  await tx`
    update import_reports set items = ${JSON.stringify(finished)}::text::json, outcomes = ${outcomesOf(finished)}::text[]
     where import_id = ${id} and number = ${number}`
  await tx`
    update imports i set outcomes = ${addCounts(tx, changes)}, done = done + ${items.filter(isUndoable).length}
     where i.id = ${id}`
}
