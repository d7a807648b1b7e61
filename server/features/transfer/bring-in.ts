/** Brings in what a file holds, part by part, each in a transaction of its own: what is left is what is still to do. */
import { limits } from '@reelmark/contract/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Deps } from '../../app.ts'
import type { Db, TransactionSql } from '../../core/database.ts'
import { findVideos } from '../bookmarks/cards.ts'
import { type BookmarkToKeep, keepMany } from '../bookmarks/keep-many.ts'
import { currentRules, type RuleBook } from '../screening/cards.ts'
import { tidyTag } from '../tags/cards.ts'
import type { Claim } from './export-queries.ts'
import {
  claimImport,
  finishImport,
  finishPart,
  holdImport,
  type Kind,
  kinds,
  nextPart,
  type Outcome,
} from './import-queries.ts'
import {
  keepBlocks,
  keepFollows,
  keepLikes,
  keepMutedPeople,
  keepMutes,
  keepProfile,
  keepWatched,
} from './own-queries.ts'
import { findPlaces, keepPlaces } from './place-queries.ts'
import { momentOf, type Problem, problemWith } from './rules.ts'
import { screenPlaces, screenProfile } from './screening.ts'

type Needs = Pick<Deps, 'db' | 'jobs' | 'log' | 'settings'>
type NeedsOfPart = Needs & { rules: RuleBook }
type Item<K extends Kind> = K extends 'profile'
  ? TransferFile['profile']
  : ItemOf<NonNullable<TransferFile[K & ListKind]>>
type ListKind = Exclude<Kind, 'profile'>
type ItemOf<List> = List extends (infer Each)[] ? Each : never

/** Goes on with an import until it is done, or no longer ours. Killed half way, the next one goes on from there. */
export async function bringIn(needs: Needs, importId: number): Promise<void> {
  const claim = await claimImport(needs.db, importId)
  if (claim === null) return
  for (const kind of kinds) {
    let state: 'more' | 'none' | 'over' = 'more'
    while (state === 'more') {
      const withRules = { ...needs, rules: await currentRules(needs.db) }
      state = await needs.db
        .begin((tx) => bringInNext(withRules, tx, claim, kind, bringInPart))
        .catch((error: unknown) => {
          if (!isOfTheData(error)) throw error
          return needs.db.begin((tx) => bringInNext(withRules, tx, claim, kind, bringInSingly))
        })
    }
    // Of somebody who was banned or suspended meanwhile it is called failed; of whoever is gone, or taken up elsewhere, nothing.
    if (state === 'over') return finishImport(needs.db, claim, 'failed')
  }
  await finishImport(needs.db, claim, 'done')
}

/** The database would not have a row (classes 22 and 23), and will not have it when it is tried again. */
function isOfTheData(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string } | null)?.code ?? '')
}

async function bringInNext(
  needs: NeedsOfPart,
  tx: TransactionSql,
  claim: Claim,
  kind: Kind,
  bring: typeof bringInPart,
): Promise<'more' | 'none' | 'over'> {
  if (!(await holdImport(tx, claim))) return 'over'
  const part = await nextPart<never>(tx, claim, kind)
  if (part === null) return 'none'
  await finishPart(tx, claim, { kind, ...part }, await bring(needs, tx, claim, kind, part))
  return 'more'
}

/** What our rules let through and the database does not is a bug of ours: the one row is left out, the others come in. */
async function bringInSingly(
  needs: NeedsOfPart,
  tx: TransactionSql,
  claim: Claim,
  kind: Kind,
  { number, items }: { number: number; items: never[] },
): Promise<Outcome> {
  const sum: Outcome = { added: 0, already_there: 0, problems: [] }
  for (const [index, item] of items.entries()) {
    const place = number + index
    try {
      const { added, already_there, problems } = await tx.savepoint((inner) =>
        bringInPart(needs, inner, claim, kind, { number: place, items: [item] }),
      )
      sum.added += added
      sum.already_there += already_there
      sum.problems.push(...problems)
    } catch (error) {
      if (!isOfTheData(error)) throw error
      needs.log.error({ err: error, import_id: claim.id, kind, place }, 'a row of an import was refused')
      sum.problems.push(problemWith(`Number ${place + 1} of the ${kind}`, "This item couldn't be saved."))
    }
  }
  return sum
}

async function bringInPart(
  needs: NeedsOfPart,
  tx: TransactionSql,
  claim: Claim,
  kind: Kind,
  { number, items }: { number: number; items: never[] },
): Promise<Outcome> {
  switch (kind) {
    case 'collections': {
      const places: Item<'collections'>[] = items
      const { allowed, problems } = await screenPlaces(tx, needs.rules, claim.user_id, places)
      await keepPlaces(tx, claim, number, allowed)
      return { added: 0, already_there: 0, problems }
    }
    case 'profile': {
      const profiles: Item<'profile'>[] = items
      const problems: Problem[] = []
      for (const profile of profiles) {
        const screened = await screenProfile(tx, needs.rules, claim.user_id, profile)
        await keepProfile(tx, claim, screened.allowed)
        problems.push(...screened.problems)
      }
      return { added: 0, already_there: 0, problems }
    }
    case 'bookmarks':
      return bringInBookmarks(needs, tx, claim, items)
    case 'likes':
      return bringInLikes(tx, claim, items)
    case 'watched':
      return bringInWatched(tx, claim, items)
    case 'blocked':
      return bringInBlocks(tx, claim, items)
    case 'muted_people':
      return bringInMutedPeople(tx, claim, items)
    case 'muted_tags':
      return bringInMutedTags(tx, claim, items)
    case 'following':
      return bringInFollows(tx, claim, items)
  }
}

async function bringInBookmarks(
  needs: NeedsOfPart,
  tx: Db,
  claim: Claim,
  items: Item<'bookmarks'>[],
): Promise<Outcome> {
  const now = Date.now()
  const here = await findPlaces(tx, claim, [...new Set(items.map(({ collection }) => collection))])
  const places = new Map(here.map((place) => [`${place.collection} ${place.channel}`, place]))
  const problems: Problem[] = []
  const wanted: Item<'bookmarks'>[] = []
  const bookmarks: BookmarkToKeep[] = []
  for (const item of items) {
    const place = places.get(`${item.collection} ${item.channel}`)
    if (place === undefined) {
      const what = item.channel === null ? 'collection' : 'channel'
      problems.push(
        problemWith(`Bookmark of ${item.video.source_url}`, `Its ${what} is missing from the file.`),
      )
      continue
    }
    wanted.push(item)
    bookmarks.push({
      ...item,
      created_at: momentOf(item.created_at, now),
      collection_id: place.collection_id,
      channel_id: place.channel_id,
    })
  }
  const { added, already_there, refused, held } = await keepMany(tx, needs, claim.user_id, bookmarks)
  for (const { index, why } of refused) {
    problems.push(problemWith(`Bookmark of ${wanted[index]?.video.source_url}`, why))
  }
  for (const index of held) {
    const why = 'Imported. It will be public after a quick review.'
    problems.push(problemWith(`Bookmark of ${wanted[index]?.video.source_url}`, why))
  }
  return { added, already_there, problems }
}

async function bringInLikes(tx: Db, { user_id }: Claim, items: Item<'likes'>[]): Promise<Outcome> {
  const { found, problems } = await findMarked(
    tx,
    user_id,
    'Like',
    items.map(({ source_url, created_at }) => ({ source_url, at: created_at })),
  )
  const added = await keepLikes(tx, user_id, found)
  return { added, already_there: found.length - added, problems }
}

async function bringInWatched(tx: Db, { user_id }: Claim, items: Item<'watched'>[]): Promise<Outcome> {
  const { found, problems } = await findMarked(
    tx,
    user_id,
    'Watched mark',
    items.map(({ source_url, watched_at }) => ({ source_url, at: watched_at })),
  )
  const added = await keepWatched(tx, user_id, found)
  return { added, already_there: found.length - added, problems }
}

/** The videos that links lead to, as far as they are here to see. `what` names what is left out. */
async function findMarked(tx: Db, userId: number, what: string, items: { source_url: string; at: string }[]) {
  const now = Date.now()
  const videos = await findVideos(
    tx,
    userId,
    items.map(({ source_url }) => source_url),
  )
  const problems = items
    .filter((_, index) => videos[index] === null)
    .map(({ source_url }) => problemWith(`${what} of ${source_url}`, 'Video not found.'))
  const found = items.flatMap(({ at }, index) => {
    const video_id = videos[index]
    return video_id === null || video_id === undefined ? [] : [{ video_id, created_at: momentOf(at, now) }]
  })
  return { found, problems }
}

const nobody = 'No user with this name.'
const tooMany = "You've reached the limit for mutes."

async function bringInFollows(tx: Db, { user_id }: Claim, items: Item<'following'>[]): Promise<Outcome> {
  const now = Date.now()
  const { added, already_there, unknown } = await keepFollows(
    tx,
    user_id,
    items.map(({ username, followed_at }) => ({ username, created_at: momentOf(followed_at, now) })),
  )
  const problems = unknown.map((username) => problemWith(`Following ${username}`, nobody))
  return { added, already_there, problems }
}

async function bringInBlocks(tx: Db, { user_id }: Claim, items: Item<'blocked'>[]): Promise<Outcome> {
  const now = Date.now()
  const blocks = items.map(({ username, blocked_at }) => ({
    username,
    created_at: momentOf(blocked_at, now),
  }))
  const { added, already_there, unknown } = await keepBlocks(tx, user_id, blocks)
  return { added, already_there, problems: unknown.map((name) => problemWith(`Block of ${name}`, nobody)) }
}

async function bringInMutedPeople(
  tx: Db,
  { user_id }: Claim,
  items: Item<'muted_people'>[],
): Promise<Outcome> {
  const now = Date.now()
  const mutes = items.map(({ username, muted_at }) => ({ username, created_at: momentOf(muted_at, now) }))
  const { added, already_there, unknown, tooMany: left } = await keepMutedPeople(tx, user_id, mutes)
  const problems = [
    ...unknown.map((name) => problemWith(`Mute of ${name}`, nobody)),
    ...left.map((name) => problemWith(`Mute of ${name}`, tooMany)),
  ]
  return { added, already_there, problems }
}

async function bringInMutedTags(tx: Db, { user_id }: Claim, items: Item<'muted_tags'>[]): Promise<Outcome> {
  const now = Date.now()
  const mutes = new Map(items.map(({ tag, muted_at }) => [tidyTag(tag), momentOf(muted_at, now)] as const))
  const tags = [...mutes.keys()]
  const isTag = (tag: string) => tag !== '' && [...tag].length <= limits.tagMax
  const {
    added,
    already_there,
    tooMany: left,
  } = await keepMutes(
    tx,
    user_id,
    tags.filter(isTag).map((tag) => ({ muted_id: null, tag, what: tag, created_at: mutes.get(tag) ?? '' })),
  )
  const problems = [
    ...tags
      .filter((tag) => !isTag(tag))
      .map((tag) => problemWith(`Mute of the tag ${tag}`, 'This is no tag.')),
    ...left.map((tag) => problemWith(`Mute of the tag ${tag}`, tooMany)),
  ]
  return { added, already_there, problems }
}
