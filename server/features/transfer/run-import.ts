/** Imports the parts of a file, each in its own transaction; the parts that remain are those not imported yet. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Db, TransactionSql } from '../../core/database/database.ts'
import type { Deps } from '../../core/deps.ts'
import { normaliseTag } from '../../shared/tag-names.ts'
import { type BookmarkImport, importBookmarks, importNotes } from '../bookmarks/public-api.ts'
import { importSmartCollections, type SmartCollectionImport } from '../listing/public-api.ts'
import { type CompiledRules, currentRules } from '../moderation/public-api.ts'
import type { TransferClaim } from './export-queries.ts'
import { findImportedContainers, importContainers } from './import-collections.ts'
import { importFollowedCollections, importFollowedTags } from './import-followed-lists.ts'
import {
  claimImport,
  finishImport,
  finishPart,
  type ImportKind,
  type ImportOutcome,
  importKinds,
  lockImport,
  nextPart,
} from './import-queries.ts'
import {
  findVideos,
  importBlocks,
  importFollows,
  importLikes,
  importMutedUsers,
  importMutes,
  importProfile,
  importWatched,
} from './import-user-data.ts'
import { clampTimestamp, describeProblem, type Problem } from './rules.ts'
import { screenContainers, screenProfile } from './screen-import.ts'

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'log' | 'settings'>
type PartDependencies = Dependencies & { rules: CompiledRules }
type Item<K extends ImportKind> = K extends 'profile'
  ? TransferFile['profile']
  : ItemOf<NonNullable<TransferFile[K & ListKind]>>
type ListKind = Exclude<ImportKind, 'profile'>
type ItemOf<List> = List extends (infer Element)[] ? Element : never

/** Runs an import until it is finished or the claim is lost. A later run continues after the last imported part. */
export async function runImport(needs: Dependencies, importId: number): Promise<void> {
  const claim = await claimImport(needs.db, importId)
  if (claim === null) return
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
  await finishImport(needs.db, claim, 'done')
}

/** Returns whether the database refused a row (error classes 22 and 23), so that a retry would fail, too. */
function isDataError(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string } | null)?.code ?? '')
}

async function importNextPart(
  needs: PartDependencies,
  tx: TransactionSql,
  claim: TransferClaim,
  kind: ImportKind,
  importItems: typeof importPart,
): Promise<'more' | 'none' | 'over'> {
  if (!(await lockImport(tx, claim))) return 'over'
  const part = await nextPart<never>(tx, claim, kind)
  if (part === null) return 'none'
  await finishPart(tx, claim, { kind, ...part }, await importItems(needs, tx, claim, kind, part))
  return 'more'
}

/** Imports each row separately, so that one that passes validation but not the database does not affect the others. */
async function importRowByRow(
  needs: PartDependencies,
  tx: TransactionSql,
  claim: TransferClaim,
  kind: ImportKind,
  { number, items }: { number: number; items: never[] },
): Promise<ImportOutcome> {
  const sum: ImportOutcome = { added: 0, duplicates: 0, problems: [] }
  for (const [index, item] of items.entries()) {
    const position = number + index
    try {
      const { added, duplicates, problems } = await tx.savepoint((inner) =>
        importPart(needs, inner, claim, kind, { number: position, items: [item] }),
      )
      sum.added += added
      sum.duplicates += duplicates
      sum.problems.push(...problems)
    } catch (error) {
      if (!isDataError(error)) throw error
      needs.log.error({ err: error, import_id: claim.id, kind, position }, 'a row of an import was refused')
      sum.problems.push(
        describeProblem(`Number ${position + 1} of the ${kind}`, "This item couldn't be saved."),
      )
    }
  }
  return sum
}

async function importPart(
  needs: PartDependencies,
  tx: TransactionSql,
  claim: TransferClaim,
  kind: ImportKind,
  { number, items }: { number: number; items: never[] },
): Promise<ImportOutcome> {
  switch (kind) {
    case 'collections': {
      const containers: Item<'collections'>[] = items
      const { allowed, problems } = await screenContainers(tx, needs.rules, claim.user_id, containers)
      await importContainers(tx, claim, number, allowed)
      return { added: 0, duplicates: 0, problems }
    }
    case 'profile': {
      const profiles: Item<'profile'>[] = items
      const problems: Problem[] = []
      for (const profile of profiles) {
        const screened = await screenProfile(tx, needs.rules, claim.user_id, profile)
        await importProfile(tx, needs.jobs, claim, screened.allowed)
        problems.push(...screened.problems)
      }
      return { added: 0, duplicates: 0, problems }
    }
    case 'bookmarks':
      return importBookmarkPart(needs, tx, claim, items)
    case 'timed_notes':
      return importNotePart(needs, tx, claim, items)
    case 'likes':
      return importLikePart(tx, claim, items)
    case 'watched':
      return importWatchedPart(tx, claim, items)
    case 'blocked':
      return importBlockPart(tx, claim, items)
    case 'muted_users':
      return importMutedUserPart(tx, claim, items)
    case 'muted_tags':
      return importMutedTagPart(tx, claim, items)
    case 'smart_collections':
      return importSmartCollectionPart(needs, tx, claim, items)
    case 'following':
      return importFollowPart(tx, claim, items)
    case 'followed_collections':
      return importFollowedCollectionPart(tx, claim, items)
    case 'followed_tags':
      return importFollowedTagPart(tx, claim, items)
  }
}

async function importBookmarkPart(
  needs: PartDependencies,
  tx: Db,
  claim: TransferClaim,
  items: Item<'bookmarks'>[],
): Promise<ImportOutcome> {
  const now = Date.now()
  const containers = await findImportedContainers(tx, claim, [
    ...new Set(items.map(({ collection }) => collection)),
  ])
  const destinations = new Map(
    containers.map((container) => [`${container.collection} ${container.channel}`, container]),
  )
  const problems: Problem[] = []
  const accepted: Item<'bookmarks'>[] = []
  const bookmarks: BookmarkImport[] = []
  for (const item of items) {
    const container = destinations.get(`${item.collection} ${item.channel}`)
    if (container === undefined) {
      const what = item.channel === null ? 'collection' : 'channel'
      problems.push(
        describeProblem(`Bookmark of ${item.video.source_url}`, `Its ${what} is missing from the file.`),
      )
      continue
    }
    accepted.push(item)
    bookmarks.push({
      ...item,
      private_note: item.private_note ?? '',
      created_at: clampTimestamp(item.created_at, now),
      collection_id: container.collection_id,
      channel_id: container.channel_id,
    })
  }
  const { added, duplicates, refused, held } = await importBookmarks(tx, needs, claim.user_id, bookmarks)
  for (const { index, reason } of refused) {
    problems.push(describeProblem(`Bookmark of ${accepted[index]?.video.source_url}`, reason))
  }
  for (const index of held) {
    const reason = 'Imported. It will be public after a quick review.'
    problems.push(describeProblem(`Bookmark of ${accepted[index]?.video.source_url}`, reason))
  }
  return { added, duplicates, problems }
}

async function importNotePart(
  { rules }: PartDependencies,
  tx: Db,
  { user_id }: TransferClaim,
  items: Item<'timed_notes'>[],
): Promise<ImportOutcome> {
  const now = Date.now()
  const links = items.map(({ source_url }) => source_url)
  const videos = await findVideos(tx, user_id, links)
  const notes = items.map(({ source_url, created_at, ...note }, index) => ({
    ...note,
    index,
    video_id: videos[index] ?? null,
    created_at: clampTimestamp(created_at, now),
  }))
  const { added, duplicates, missing, tooMany } = await importNotes(tx, rules, user_id, notes)
  const describe = (indexes: number[], reason: string) =>
    indexes.map((index) => describeProblem(`Note on ${links[index] ?? ''}`, reason))
  const problems = [
    ...describe(missing, 'You have no bookmark of this video.'),
    ...describe(tooMany, 'You have too many notes on this bookmark.'),
  ]
  return { added, duplicates, problems }
}

async function importLikePart(
  tx: Db,
  { user_id }: TransferClaim,
  items: Item<'likes'>[],
): Promise<ImportOutcome> {
  const { found, problems } = await findLinkedVideos(
    tx,
    user_id,
    'Like',
    items.map(({ source_url, created_at }) => ({ source_url, at: created_at })),
  )
  const added = await importLikes(tx, user_id, found)
  return { added, duplicates: found.length - added, problems }
}

async function importWatchedPart(
  tx: Db,
  { user_id }: TransferClaim,
  items: Item<'watched'>[],
): Promise<ImportOutcome> {
  const { found, problems } = await findLinkedVideos(
    tx,
    user_id,
    'Watched mark',
    items.map(({ source_url, watched_at }) => ({ source_url, at: watched_at })),
  )
  const added = await importWatched(tx, user_id, found)
  return { added, duplicates: found.length - added, problems }
}

/** Finds the videos of links that the user may see. `what` names the items in the problems for the others. */
async function findLinkedVideos(
  tx: Db,
  userId: number,
  what: string,
  items: { source_url: string; at: string }[],
) {
  const now = Date.now()
  const videos = await findVideos(
    tx,
    userId,
    items.map(({ source_url }) => source_url),
  )
  const problems = items
    .filter((_, index) => videos[index] === null)
    .map(({ source_url }) => describeProblem(`${what} of ${source_url}`, 'Video not found.'))
  const found = items.flatMap(({ at }, index) => {
    const video_id = videos[index]
    return video_id === null || video_id === undefined
      ? []
      : [{ video_id, created_at: clampTimestamp(at, now) }]
  })
  return { found, problems }
}

const unknownUserText = 'No user with this name.'
const tooManyMutesText = "You've reached the limit for mutes."

async function importFollowPart(
  tx: Db,
  { user_id }: TransferClaim,
  items: Item<'following'>[],
): Promise<ImportOutcome> {
  const now = Date.now()
  const { added, duplicates, unknown } = await importFollows(
    tx,
    user_id,
    items.map(({ username, followed_at }) => ({ username, created_at: clampTimestamp(followed_at, now) })),
  )
  const problems = unknown.map((username) => describeProblem(`Following ${username}`, unknownUserText))
  return { added, duplicates, problems }
}

const tooManyListsText = "You've reached the limit for collections, channels and tags."

async function importFollowedCollectionPart(
  tx: Db,
  { user_id }: TransferClaim,
  items: Item<'followed_collections'>[],
): Promise<ImportOutcome> {
  const now = Date.now()
  const collections = items.map(({ followed_at, ...names }) => ({
    ...names,
    created_at: clampTimestamp(followed_at, now),
  }))
  const { added, duplicates, unknown, tooMany } = await importFollowedCollections(tx, user_id, collections)
  const describe = (indexes: number[], reason: string) =>
    indexes.map((index) => describeProblem(`Following ${items[index]?.collection}`, reason))
  const problems = [
    ...describe(unknown, 'No public collection or channel with this name.'),
    ...describe(tooMany, tooManyListsText),
  ]
  return { added, duplicates, problems }
}

async function importFollowedTagPart(
  tx: Db,
  { user_id }: TransferClaim,
  items: Item<'followed_tags'>[],
): Promise<ImportOutcome> {
  const now = Date.now()
  const timeByTag = new Map(
    items.map(({ tag, followed_at }) => [normaliseTag(tag), clampTimestamp(followed_at, now)] as const),
  )
  const isTag = (tag: string) => tag !== '' && [...tag].length <= limits.tagMax
  const tags = [...timeByTag].map(([tag, created_at]) => ({ tag, created_at }))
  const valid = tags.filter(({ tag }) => isTag(tag))
  const { added, duplicates, tooMany } = await importFollowedTags(tx, user_id, valid)
  const problems = [
    ...tags
      .filter(({ tag }) => !isTag(tag))
      .map(({ tag }) => describeProblem(`Following the tag ${tag}`, "This isn't a valid tag.")),
    ...tooMany.map((index) => describeProblem(`Following the tag ${valid[index]?.tag}`, tooManyListsText)),
  ]
  return { added, duplicates, problems }
}

async function importBlockPart(
  tx: Db,
  { user_id }: TransferClaim,
  items: Item<'blocked'>[],
): Promise<ImportOutcome> {
  const now = Date.now()
  const blocks = items.map(({ username, blocked_at }) => ({
    username,
    created_at: clampTimestamp(blocked_at, now),
  }))
  const { added, duplicates, unknown } = await importBlocks(tx, user_id, blocks)
  return {
    added,
    duplicates,
    problems: unknown.map((name) => describeProblem(`Block of ${name}`, unknownUserText)),
  }
}

async function importMutedUserPart(
  tx: Db,
  { user_id }: TransferClaim,
  items: Item<'muted_users'>[],
): Promise<ImportOutcome> {
  const now = Date.now()
  const mutes = items.map(({ username, muted_at }) => ({
    username,
    created_at: clampTimestamp(muted_at, now),
  }))
  const { added, duplicates, unknown, tooMany } = await importMutedUsers(tx, user_id, mutes)
  const problems = [
    ...unknown.map((name) => describeProblem(`Mute of ${name}`, unknownUserText)),
    ...tooMany.map((name) => describeProblem(`Mute of ${name}`, tooManyMutesText)),
  ]
  return { added, duplicates, problems }
}

async function importMutedTagPart(
  tx: Db,
  { user_id }: TransferClaim,
  items: Item<'muted_tags'>[],
): Promise<ImportOutcome> {
  const now = Date.now()
  const mutes = new Map(
    items.map(({ tag, muted_at }) => [normaliseTag(tag), clampTimestamp(muted_at, now)] as const),
  )
  const tags = [...mutes.keys()]
  const isTag = (tag: string) => tag !== '' && [...tag].length <= limits.tagMax
  const { added, duplicates, tooMany } = await importMutes(
    tx,
    user_id,
    tags.filter(isTag).map((tag) => ({ muted_id: null, tag, what: tag, created_at: mutes.get(tag) ?? '' })),
  )
  const problems = [
    ...tags
      .filter((tag) => !isTag(tag))
      .map((tag) => describeProblem(`Mute of the tag ${tag}`, "This isn't a valid tag.")),
    ...tooMany.map((tag) => describeProblem(`Mute of the tag ${tag}`, tooManyMutesText)),
  ]
  return { added, duplicates, problems }
}

async function importSmartCollectionPart(
  needs: PartDependencies,
  tx: TransactionSql,
  claim: TransferClaim,
  items: Item<'smart_collections'>[],
): Promise<ImportOutcome> {
  const now = Date.now()
  const live = items.filter(({ deleted_at }) => deleted_at === null)
  const containers = await findImportedContainers(tx, claim, [
    ...new Set(live.flatMap(({ collection }) => (collection === null ? [] : [collection]))),
  ])
  const { allowed, problems } = await screenContainers(
    tx,
    needs.rules,
    claim.user_id,
    live.map((item) => ({ ...item, channels: [] })),
  )
  const found: SmartCollectionImport[] = []
  for (const [index, { name, description, access, created_at }] of allowed.entries()) {
    const { query, collection, channel } = live[index] as (typeof live)[number]
    const container = containers.find((row) => row.collection === collection && row.channel === channel)
    if (collection !== null && container === undefined) {
      problems.push(describeProblem(`Smart collection ${name}`, 'Its collection is missing from the file.'))
      continue
    }
    const location =
      container === undefined
        ? {}
        : container.channel_id === null
          ? { collection: container.collection_id }
          : { channel: container.channel_id }
    found.push({
      name,
      description,
      access,
      query: { ...query, ...location },
      created_at: clampTimestamp(created_at, now),
    })
  }
  const outcomes = await importSmartCollections(tx, claim.user_id, found)
  const reasons = { invalid: "Its search isn't valid.", 'limit-reached': "You've reached the limit." }
  outcomes.forEach((outcome, index) => {
    if (outcome === 'invalid' || outcome === 'limit-reached') {
      problems.push(describeProblem(`Smart collection ${found[index]?.name}`, reasons[outcome]))
    }
  })
  return {
    added: outcomes.filter((outcome) => outcome === 'added').length,
    duplicates: outcomes.filter((outcome) => outcome === 'duplicate').length,
    problems,
  }
}
