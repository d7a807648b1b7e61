/** Imports parts with what a user follows, blocks and mutes. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { normaliseTag } from '../../shared/tag-names.ts'
import { importFollowedCollections, importFollowedTags } from './import-followed-lists.ts'
import type { Item, PartContext } from './import-items.ts'
import type { ItemOutcome } from './import-report.ts'
import {
  importBlocks,
  importFollows,
  importMutedUsers,
  importMutes,
  type ListOutcome,
} from './import-user-data.ts'
import { created, known, outcomesById, rejected } from './item-outcomes.ts'
import { clampTimestamp } from './rules.ts'

const unknownUserText = 'No user with this name.'
const invalidTagText = "This isn't a valid tag."
const tooManyMutesText = "You've reached the limit for mutes."
const tooManyListsText = "You've reached the limit for collections, channels and tags."

export async function importFollowPart(
  { tx, claim }: PartContext,
  items: readonly Item<'following'>[],
): Promise<ItemOutcome[]> {
  const now = Date.now()
  const follows = items.map(({ username, followed_at }) => ({
    username,
    created_at: clampTimestamp(followed_at, now),
  }))
  const outcome = await importFollows(tx, claim.user_id, follows)
  return outcomesById(outcome.ids, outcome.created, unknownUserText)
}

export async function importBlockPart(
  { tx, claim }: PartContext,
  items: readonly Item<'blocked'>[],
): Promise<ItemOutcome[]> {
  const now = Date.now()
  const blocks = items.map(({ username, blocked_at }) => ({
    username,
    created_at: clampTimestamp(blocked_at, now),
  }))
  const outcome = await importBlocks(tx, claim.user_id, blocks)
  return outcomesById(outcome.ids, outcome.created, unknownUserText)
}

/** Returns the outcomes of entries of a list with a limit. The first of several with one row is new, the others are known. */
function describeList(
  outcomes: readonly (ListOutcome | null)[],
  unknownText: string,
  tooManyText: string,
): ItemOutcome[] {
  const reported = new Set<number>()
  return outcomes.map((entry) => {
    if (entry === null) return rejected(unknownText)
    if (entry.outcome === 'added' && !reported.has(entry.id)) {
      reported.add(entry.id)
      return created(entry.id)
    }
    return entry.outcome === 'too-many' ? rejected(tooManyText) : known
  })
}

export async function importFollowedCollectionPart(
  { tx, claim }: PartContext,
  items: readonly Item<'followed_collections'>[],
): Promise<ItemOutcome[]> {
  const now = Date.now()
  const collections = items.map(({ username, collection, channel, followed_at }) => ({
    username,
    collection,
    channel,
    created_at: clampTimestamp(followed_at, now),
  }))
  const outcomes = await importFollowedCollections(tx, claim.user_id, collections)
  return describeList(outcomes, 'No public collection or channel with this name.', tooManyListsText)
}

export async function importFollowedTagPart(
  { tx, claim }: PartContext,
  items: readonly Item<'followed_tags'>[],
): Promise<ItemOutcome[]> {
  const { names, valid } = readTags(items.map(({ tag, followed_at }) => ({ tag, at: followed_at })))
  const outcomes = await importFollowedTags(tx, claim.user_id, valid)
  return describeTags(names, valid, outcomes, tooManyListsText)
}

export async function importMutedUserPart(
  { tx, claim }: PartContext,
  items: readonly Item<'muted_users'>[],
): Promise<ItemOutcome[]> {
  const now = Date.now()
  const mutes = items.map(({ username, muted_at }) => ({
    username,
    created_at: clampTimestamp(muted_at, now),
  }))
  const outcomes = await importMutedUsers(tx, claim.user_id, mutes)
  return describeList(outcomes, unknownUserText, tooManyMutesText)
}

export async function importMutedTagPart(
  { tx, claim }: PartContext,
  items: readonly Item<'muted_tags'>[],
): Promise<ItemOutcome[]> {
  const { names, valid } = readTags(items.map(({ tag, muted_at }) => ({ tag, at: muted_at })))
  const mutes = valid.map((tag) => ({ ...tag, muted_id: null }))
  const outcomes = await importMutes(tx, claim.user_id, mutes)
  return describeTags(names, valid, outcomes, tooManyMutesText)
}

interface TagImport {
  tag: string
  created_at: string
}

/** Returns the normalised name of each tag, and the valid ones, each once. */
function readTags(items: readonly { tag: string; at: string }[]): { names: string[]; valid: TagImport[] } {
  const now = Date.now()
  const names = items.map(({ tag }) => normaliseTag(tag))
  const times = new Map(items.map(({ at }, index) => [names[index] ?? '', clampTimestamp(at, now)]))
  const valid = [...times].filter(([tag]) => tag !== '' && [...tag].length <= limits.tagMax)
  return { names, valid: valid.map(([tag, created_at]) => ({ tag, created_at })) }
}

function describeTags(
  names: readonly string[],
  valid: readonly TagImport[],
  outcomes: readonly (ListOutcome | null)[],
  tooManyText: string,
): ItemOutcome[] {
  const byTag = new Map(valid.map(({ tag }, index) => [tag, outcomes[index] ?? null]))
  return describeList(
    names.map((name) => byTag.get(name) ?? null),
    invalidTagText,
    tooManyText,
  )
}
