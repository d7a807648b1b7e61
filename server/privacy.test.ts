/**
 * What is not somebody's to see is to them as if it never had been: every way in of the contract is read before and after
 * it came to be, and answers the same, word for word and number for number. A GET that is added needs a row in `ways`.
 *
 * Pages are rendered from the responses a visitor gets here, and nothing else (docs/decisions/0007-visitor-cache.md).
 * Streams are in notifications/unread-streams.test.ts, files of others in transfer/export.test.ts.
 */

import { isDeepStrictEqual } from 'node:util'
import {
  collectBookmark,
  collectChannel,
  collectCollection,
  toggleWatchLater,
} from '@reelmark/contract/collect.ts'
import { createComment, createReply } from '@reelmark/contract/comments.ts'
import { toggleFollow, unfollowUser } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import { markWatched } from '@reelmark/contract/watching.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointUrl } from '../contract/protocol/call.ts'
import { listUnreadSince } from './features/notifications/queries.ts'
import { loadEndpoints } from './testing/contract-endpoints.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { createDestination, saveFilm, vaultDestination } from './testing/test-bookmarks.ts'
import { signUp, type TestUser } from './testing/test-users.ts'

/** Whatever comes to be gets one of these ids, so that it can be asked for before it is there. */
const first = {
  bookmarks: 700_001,
  videos: 710_001,
  collections: 720_001,
  channels: 730_001,
  comments: 740_001,
  users: 750_001,
}
const many = 7
type Table = keyof typeof first
const listIds = (table: Table) => Array.from({ length: many }, (_, n) => first[table] + n)

interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}
interface Way {
  /** What is asked for, each of it. */
  asks: () => Parts[]
  /** It is looked at by who knows where it is: those who block somebody still find them there (0012). */
  opened?: true
}

let site: TestApp
/** Who must not see it. */
let eve: TestUser
/** Somebody else, whose things all see, beside it. */
let cara: TestUser
let shared: { id: number; video: { id: number } }
let caras: { collection_id: number; channel_id: number }
const owner = 'owen'
const words = ['walrus', 'cinnamon', 'telegraph', 'umbrella']
const tag = 'meadow'

const byId = (table: Table) => listIds(table).map((id) => ({ params: { id } }))
const listed =
  (...tables: Table[]) =>
  () =>
    tables.flatMap((table) => byId(table).map((each) => ({ ...each, query: {} })))
const ofShared = (query = {}) => ({ params: { id: shared.video.id }, query })
/** Answers what is the caller's own, or nothing where they are nobody. */
const own: Way = { asks: () => [{}] }
const ownById = (more: object = {}): Way => ({
  asks: () => [1, 2, 3].map((id) => ({ params: { id, ...more } })),
})

const ways: Record<string, Way> = {
  listVideos: {
    asks: () =>
      [
        {},
        { orientation: 'sfw' },
        { sort: 'random', seed: 7 },
        { sort: 'following' },
        { q: 'film' },
        { q: 'filmm' },
        { q: `user:${owner}` },
        { q: 'site:films.example.org' },
        { tag },
        { tag: 'common' },
        { user: owner },
        { user: owner, sort: 'random', seed: 7 },
        { liked_by: owner },
        { liked_by: 'eve' },
        { liked_by: 'cara' },
        ...words.flatMap((word) => [{ q: word }, { q: `tag:${word}` }, { tag: word }, { q: `${word}s` }]),
        ...listIds('collections').map((collection) => ({ collection })),
        ...listIds('channels').map((channel) => ({ channel })),
      ].map((query) => ({ query })),
  },
  getBookmark: { asks: () => byId('bookmarks'), opened: true },
  listSimilar: { asks: () => [...byId('bookmarks'), { params: { id: shared.id } }], opened: true },
  getPlayQueue: {
    asks: () => [
      ...byId('bookmarks').flatMap((each, n) => [
        { ...each, query: { channel: first.channels + n } },
        { ...each, query: { collection: first.collections } },
      ]),
      { params: { id: shared.id }, query: { channel: caras.channel_id } },
    ],
    opened: true,
  },
  findOwnBookmarksByUrl: {
    asks: () => words.map((word) => ({ query: { url: `https://films.example.org/watch/${word}` } })),
  },
  getLikeStatus: { asks: () => byId('videos'), opened: true },
  listTags: { asks: () => [{ query: {} }, ...words.map((word) => ({ query: { q: word.slice(0, 4) } }))] },
  listCollections: {
    asks: () => [{ query: { user: owner } }, { query: { user: 'cara' } }, { query: {} }],
    opened: true,
  },
  getCollection: { asks: () => byId('collections'), opened: true },
  listChannels: { asks: listed('collections'), opened: true },
  getChannel: { asks: () => byId('channels'), opened: true },
  listComments: { asks: () => [...listed('videos')(), ofShared()] },
  getComment: { asks: listed('comments') },
  listReplies: { asks: listed('comments') },
  listCollectors: { asks: () => [...listed('videos')(), ofShared()] },
  listFollowers: {
    asks: () => [
      ...listed('users')(),
      { params: { id: cara.id }, query: {} },
      { params: { id: eve.id }, query: {} },
    ],
  },
  listFollowing: {
    asks: () => [
      ...listed('users')(),
      { params: { id: cara.id }, query: {} },
      { params: { id: eve.id }, query: {} },
    ],
  },
  getFollowStatus: { asks: () => byId('users') },
  getProfile: {
    asks: () => [owner, 'cara', 'eve'].map((username) => ({ params: { username } })),
    opened: true,
  },
  listNotifications: { asks: () => [{ query: {} }] },
  countUnread: own,
  // It begins and does not end.
  streamNotifications: { asks: () => [] },
  listTrash: own,
  listBlocks: own,
  listMutes: own,
  listOwnReports: own,
  listOwnDecisions: own,
  listReports: own,
  listContentRules: own,
  listCases: own,
  countCases: own,
  listAppeals: own,
  getCase: { asks: () => byId('videos').map(({ params }) => ({ params: { ...params, kind: 'video' } })) },
  getUserHistory: { asks: () => [{ params: { username: owner } }] },
  searchUsers: own,
  listAuditLog: own,
  exportAuditLog: own,
  getStatistics: own,
  getModerationCounts: own,
  listExports: own,
  getExport: ownById(),
  downloadExport: ownById(),
  listImports: own,
  getImport: ownById(),
  getAccountSecurity: own,
  listSessions: own,
  listAccessTokens: own,
  listPasskeys: own,
  listIdentities: own,
  getSignInMethods: own,
}

/** What writes and answers what it found: by whoever may not find it, nothing is done either. */
const deeds: [string, Endpoint, () => Parts[]][] = [
  ['a like', toggleLike, () => byId('videos')],
  ['a comment', createComment, () => byId('videos').map((each) => ({ ...each, body: { content: 'Hello' } }))],
  ['a reply', createReply, () => byId('comments').map((each) => ({ ...each, body: { content: 'Hello' } }))],
  ['a mark', markWatched, () => byId('videos')],
  ['Watch Later', toggleWatchLater, () => byId('videos')],
  [
    'collecting',
    collectBookmark,
    () => listIds('bookmarks').map((bookmark) => ({ body: { bookmark, collection: 1 } })),
  ],
  [
    'collecting a collection',
    collectCollection,
    () => byId('collections').map((each) => ({ ...each, body: { collection: 1 } })),
  ],
  [
    'collecting a channel',
    collectChannel,
    () => byId('channels').map((each) => ({ ...each, body: { collection: 1 } })),
  ],
  ['a follow', toggleFollow, () => byId('users')],
  ['no follow', unfollowUser, () => byId('users')],
]

let contract: Map<string, Endpoint>
beforeAll(async () => {
  contract = new Map(await loadEndpoints())
})

async function ask(endpoint: Endpoint, { params = {}, query = {}, body }: Parts, as: TestUser | null) {
  const reply = await site.app.inject({
    method: endpoint.method,
    url: endpointUrl(endpoint, params as never, query as never),
    ...(as !== null && { headers: { authorization: `Bearer ${as.access}` } }),
    ...(body !== undefined && { payload: body as object }),
  })
  return [reply.statusCode, reply.body === '' ? null : (reply.json() as unknown)] as const
}

/** By way and request, what is answered. */
async function readAll(as: TestUser | null, which: (way: Way) => boolean = () => true) {
  const answers: Record<string, unknown> = {}
  for (const [name, way] of Object.entries(ways)) {
    if (!which(way)) continue
    for (const parts of way.asks()) {
      answers[`${name} ${JSON.stringify(parts)}`] = await ask(contract.get(name) as Endpoint, parts, as)
    }
  }
  // What the mail of the week would say.
  if (as !== null) answers.digest = await listUnreadSince(site.db, as.id, new Date(0), 10)
  return answers
}

/** A site with Eve, and Cara's film, from where ids are known. */
async function begin(): Promise<void> {
  site = await bootApp()
  eve = await signUp(site, 'eve')
  cara = await signUp(site, 'cara')
  shared = await saveFilm(site, cara, 'shared', { video: { title: 'Film shared', tags: ['common'] } })
  caras = await vaultDestination(site, cara)
}

async function knowIds(tables: Table[]): Promise<void> {
  for (const table of tables) {
    await site.db.unsafe(`alter table ${table} alter column id restart with ${first[table]}`)
  }
}

/** That what came to be is what was asked for. */
async function expectKnown(tables: Table[]): Promise<void> {
  for (const table of tables) {
    const rows = await site.db.unsafe(`select id from ${table} where id >= ${first[table]}`)
    expect(rows.length, table).toBeGreaterThan(0)
    for (const { id } of rows) expect(listIds(table), table).toContain(id)
  }
}

const destinations = ['bookmarks', 'videos', 'comments'] as const

test('every call that reads has a row', () => {
  const reading = [...contract].filter(([, { method }]) => method === 'GET').map(([name]) => name)
  expect(Object.keys(ways).sort()).toEqual(reading.sort())
})

describe.each([
  ['a private bookmark', 'private'],
  ['a public bookmark in a private collection', 'in private'],
  ['a hidden video', 'hidden'],
  ['a removed video', 'removed'],
  ['a bookmark in the trash', 'trashed'],
] as const)('%s', (_name, secret) => {
  let owen: TestUser
  let before: Record<string, unknown>[]
  const callers = () => [null, eve]

  beforeAll(async () => {
    await begin()
    owen = await signUp(site, owner)
    // Eve hears of what he keeps.
    await site.db`insert into follows (follower_id, followee_id) values (${eve.id}, ${owen.id})`
    await saveFilm(site, owen, 'open', { video: { title: 'Film open', tags: ['common'] } })
    await knowIds([...destinations, 'collections', 'channels'])
    before = [await readAll(null), await readAll(eve)]

    const closed =
      secret === 'in private'
        ? await createDestination(site, owen, 'private')
        : await vaultDestination(site, owen)
    for (const word of words) {
      const { video } = await saveFilm(site, owen, word, {
        video: { title: `Film ${word}`, description: `About ${word}`, tags: [word, tag, 'common'] },
        bookmark: { channel_id: closed.channel_id, access: secret === 'private' ? 'private' : 'public' },
      })
      await site.db`
        insert into comments (video_id, user_id, content) values (${video.id}, ${owen.id}, ${`I like ${word}`})`
      // From when it was there to see.
      await site.db`insert into likes (user_id, video_id) values (${owen.id}, ${video.id}), (${eve.id}, ${video.id}), (${cara.id}, ${video.id})`
      await site.db`insert into watched_videos (user_id, video_id) values (${eve.id}, ${video.id})`
    }
    if (secret === 'hidden' || secret === 'removed') {
      await site.db`update videos set status = ${secret} where id >= ${first.videos}`
    }
    if (secret === 'trashed')
      await site.db`update bookmarks set deleted_at = now() where id >= ${first.bookmarks}`
    await expectKnown([
      ...destinations,
      ...(secret === 'in private' ? (['collections', 'channels'] as const) : []),
    ])
  })
  afterAll(() => site.close())

  test('shows by no way in: neither in lists nor in numbers', async () => {
    for (const [n, as] of callers().entries()) expect(await readAll(as)).toEqual(before[n])
  })

  test('is there for its owner', async () => {
    const seen = JSON.stringify(await readAll(owen))
    // Of the trash the trash tells; of what moderators removed nothing does but their decision.
    for (const word of words) expect(seen.includes(`Film ${word}`)).toBe(secret !== 'removed')
  })

  test('is not there to do anything with', async () => {
    for (const [name, endpoint, asks] of deeds) {
      for (const parts of asks()) {
        const [status, reply] = await ask(endpoint, parts, eve)
        expect([400, 404], `${name} ${JSON.stringify([parts, reply])}`).toContain(status)
        expect(JSON.stringify(reply)).not.toMatch(/walrus|cinnamon|telegraph|umbrella/)
      }
    }
  })
})

describe('somebody who blocked one', () => {
  let before: Record<string, unknown>
  let owen: TestUser

  beforeAll(async () => {
    await begin()
    const words_ = await site.db<[{ id: number }]>`
      insert into comments (video_id, user_id, content) values (${shared.video.id}, ${cara.id}, 'Words') returning id`
    await knowIds(Object.keys(first) as Table[])
    before = await readAll(eve)
    const visitors = await readAll(null)

    owen = await signUp(site, owner)
    await site.db`insert into follows (follower_id, followee_id) values
      (${owen.id}, ${eve.id}), (${eve.id}, ${owen.id}), (${owen.id}, ${cara.id}), (${cara.id}, ${owen.id})`
    for (const word of words) {
      const { video } = await saveFilm(site, owen, word, {
        video: { title: `Film ${word}`, tags: [word, tag, 'common'] },
      })
      await site.call(toggleLike, { params: { id: video.id } }, owen)
    }
    await saveFilm(site, owen, 'shared')
    await site.call(toggleLike, { params: { id: shared.video.id } }, owen)
    const { id } = await site.call(
      createComment,
      { params: { id: shared.video.id }, body: { content: 'Loud' } },
      owen,
    )
    await site.call(createReply, { params: { id }, body: { content: 'Louder' } }, owen)
    await site.call(createReply, { params: { id: words_[0].id }, body: { content: 'Loudest' } }, owen)
    await site.db`insert into blocks (blocker_id, blocked_id) values (${owen.id}, ${eve.id})`
    await expectKnown(Object.keys(first) as Table[])
    expect(await readAll(null)).not.toEqual(visitors)
  })
  afterAll(() => site.close())

  /** Those are the stored ones, whoever is left out; and a video is nobody's: who knows its id may like it (0012). */
  const numbers = /^(likes|saves|followers|following|uses|bookmarks)_count$/
  const ofVideos = /^(getLikeStatus|listCollectors|listComments) .*"id":710/
  const kept = (answers: Record<string, unknown>): Record<string, unknown> =>
    JSON.parse(JSON.stringify(answers), (key, value) => {
      if (numbers.test(key) || ofVideos.test(key) || key.startsWith('listTags ')) return undefined
      const isOfPeople = /^(listCollectors|listFollowers|listFollowing) /.test(key)
      return isOfPeople && value[0] === 200 ? [200, { ...value[1], count: null }] : value
    })
  /** Those of the answers that are others than before. */
  const others = (now: Record<string, unknown>, then: Record<string, unknown>) =>
    Object.keys(now).flatMap((key) =>
      isDeepStrictEqual(now[key], then[key]) ? [] : [{ key, before: then[key], after: now[key] }],
    )

  test('is to them as if they never had been', async () => {
    expect(others(kept(await readAll(eve)), kept(before))).toEqual([])
  })

  test('is not there to do anything with, nor is what they alone keep', async () => {
    const seen = kept(await readAll(eve))
    for (const [name, endpoint, asks] of deeds) {
      if ([toggleLike, markWatched, toggleWatchLater].some((each) => each === endpoint)) continue
      for (const parts of asks()) {
        const [status, reply] = await ask(endpoint, parts, eve)
        expect([400, 404], `${name} ${JSON.stringify([parts, reply])}`).toContain(status)
      }
    }
    expect(others(kept(await readAll(eve)), seen)).toEqual([])
  })

  test('is in no list for whom they blocked the other way round, nor heard of', async () => {
    await site.db`delete from blocks`
    await site.db`insert into blocks (blocker_id, blocked_id) values (${eve.id}, ${owen.id})`
    const now = kept(await readAll(eve, ({ opened }) => opened !== true))
    const found = others(now, kept(before)).map(({ key }) => key)
    // His own lists are opened from his profile.
    expect(found.filter((key) => !key.includes(`"id":${owen.id}`))).toEqual(['listBlocks {}'])
  })
})
