/**
 * Content a user may not see is indistinguishable from content that does not exist: all calls that read are made before
 * and after the content is created, and return exactly the same. A new GET endpoint needs an entry in `readCalls`.
 *
 * Pages contain only responses that a visitor gets here (docs/decisions/0007-visitor-cache.md). Streams are tested in
 * notifications/unread-streams.test.ts, export files in transfer/export.test.ts.
 */

import { isDeepStrictEqual } from 'node:util'
import { createAccessToken } from '@reelmark/contract/access-tokens.ts'
import { createCollectionLink, getUnlistedCollection } from '@reelmark/contract/collection-links.ts'
import { createComment, createReply } from '@reelmark/contract/comments.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointUrl } from '../contract/protocol/call.ts'
import { countForDigest } from './features/notifications/queries.ts'
import { loadEndpoints } from './testing/contract-endpoints.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { createDestination, saveFilm, vaultDestination } from './testing/test-bookmarks.ts'
import { signUp, type TestUser } from './testing/test-users.ts'

/** The ids that new content gets, so that it can be requested before it is created. Ids of videos: `videoIds`. */
const firstIds = {
  bookmarks: 700_001,
  collections: 720_001,
  channels: 730_001,
  comments: 740_001,
  users: 750_001,
  smart_collections: 760_001,
}
const idsPerTable = 5
/** An id that no content has. */
const missingId = 790_001
type Table = keyof typeof firstIds | 'videos'
const listIds = (table: Table) =>
  table === 'videos' ? videoIds : Array.from({ length: idsPerTable }, (_, n) => firstIds[table] + n)

interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}
interface ReadCall {
  /** Returns the requests to make. */
  requests: () => Parts[]
  /** Whether a user requests a known item: there, content of users they blocked is still visible (decision 0012). */
  isOpenedDirectly?: true
}

let site: TestApp
/** The ids that the videos of the words get. They are derived from the links. */
let videoIds: number[]
/** The user who must not see the content. */
let eve: TestUser
/** Another user, whose content everyone may see. */
let cara: TestUser
/** The address of Eve's Following feed, with adult content. */
let evesFeed: string
let shared: { id: number; video: { id: number } }
let carasDestination: { collection_id: number; channel_id: number }
const owner = 'owen'
const words = ['walrus', 'cinnamon', 'telegraph', 'umbrella']
const tag = 'meadow'

const byId = (table: Table) => listIds(table).map((id) => ({ params: { id } }))
const listRequests =
  (...tables: Table[]) =>
  () =>
    tables.flatMap((table) => byId(table).map((parts) => ({ ...parts, query: {} })))
const withSharedVideo = (query = {}) => ({ params: { id: shared.video.id }, query })
/** Returns only the caller's own content, or nothing for visitors. */
const ownContent: ReadCall = { requests: () => [{}] }
const ownWithId = (otherParams: object = {}): ReadCall => ({
  requests: () => [1, 2, 3].map((id) => ({ params: { id, ...otherParams } })),
})

const readCalls: Record<string, ReadCall> = {
  listVideos: {
    requests: () =>
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
        ...listIds('smart_collections').map((smart_collection) => ({ smart_collection })),
      ].map((query) => ({ query })),
  },
  getBookmark: { requests: () => byId('bookmarks'), isOpenedDirectly: true },
  listSimilar: {
    requests: () => [...byId('bookmarks'), { params: { id: shared.id } }],
    isOpenedDirectly: true,
  },
  listOtherSources: {
    requests: () => [...byId('bookmarks'), { params: { id: shared.id } }],
    isOpenedDirectly: true,
  },
  getPlayQueue: {
    requests: () => [
      ...byId('bookmarks').flatMap((parts, n) => [
        { ...parts, query: { channel: firstIds.channels + n } },
        { ...parts, query: { collection: firstIds.collections } },
      ]),
      { params: { id: shared.id }, query: { channel: carasDestination.channel_id } },
    ],
    isOpenedDirectly: true,
  },
  getPlayStart: {
    requests: () =>
      [
        {},
        { user: owner },
        { liked_by: owner },
        { tag },
        ...words.map((word) => ({ q: word })),
        ...listIds('collections').map((collection) => ({ collection })),
        ...listIds('channels').map((channel) => ({ channel })),
        ...listIds('smart_collections').map((smart_collection) => ({ smart_collection })),
      ].map((query) => ({ query })),
  },
  listOwnNotes: { requests: () => byId('bookmarks'), isOpenedDirectly: true },
  findOwnBookmarksByUrl: {
    requests: () => words.map((word) => ({ query: { url: `https://films.example.org/watch/${word}` } })),
  },
  findVideoByLink: {
    requests: () => words.map((word) => ({ query: { url: `https://films.example.org/watch/${word}` } })),
  },
  getLikeStatus: { requests: () => byId('videos'), isOpenedDirectly: true },
  listTags: { requests: () => [{ query: {} }, ...words.map((word) => ({ query: { q: word.slice(0, 4) } }))] },
  listOwnTags: { requests: () => [{ query: {} }, ...words.map((q) => ({ query: { q } }))] },
  listTagChanges: ownContent,
  listSmartCollections: { requests: () => [{ query: {} }, { query: { user: owner } }] },
  getSmartCollection: { requests: () => byId('smart_collections') },
  listTrashedSmartCollections: ownContent,
  getSuggestions: {
    requests: () =>
      ['film', 'own', 'my', ...words, ...words.map((word) => word.slice(0, 4)), tag, tag.slice(0, 3)].map(
        (q) => ({
          query: { q },
        }),
      ),
  },
  searchCollections: {
    requests: () => ['my vault', 'another', 'anot', ...words].map((q) => ({ query: { q } })),
  },
  suggestMentions: {
    requests: () =>
      [owner, 'ow'].flatMap((q) =>
        [undefined, ...listIds('videos')].map((video) => ({ query: { q, video } })),
      ),
  },
  suggestUsers: {
    requests: () => [tag, 'common', ...words, words.join(',')].map((tags) => ({ query: { tags } })),
  },
  searchProfiles: { requests: () => [owner, owner.slice(0, 2), 'ow'].map((q) => ({ query: { q } })) },
  listCollections: {
    requests: () => [{ query: { user: owner } }, { query: { user: 'cara' } }, { query: {} }],
    isOpenedDirectly: true,
  },
  getCollection: { requests: () => byId('collections'), isOpenedDirectly: true },
  getCollectionLink: { requests: () => byId('collections') },
  getUnlistedCollection: { requests: () => [{ params: { token: 'a'.repeat(43) }, query: {} }] },
  getUnlistedBookmark: {
    requests: () => listIds('bookmarks').map((id) => ({ params: { token: 'a'.repeat(43), id } })),
  },
  listChannels: { requests: listRequests('collections'), isOpenedDirectly: true },
  getChannel: { requests: () => byId('channels'), isOpenedDirectly: true },
  listComments: { requests: () => [...listRequests('videos')(), withSharedVideo()] },
  getComment: { requests: listRequests('comments') },
  listReplies: { requests: listRequests('comments') },
  listCollectors: { requests: () => [...listRequests('videos')(), withSharedVideo()] },
  listFollowers: {
    requests: () => [
      ...listRequests('users')(),
      { params: { id: cara.id }, query: {} },
      { params: { id: eve.id }, query: {} },
    ],
  },
  listFollowing: {
    requests: () => [
      ...listRequests('users')(),
      { params: { id: cara.id }, query: {} },
      { params: { id: eve.id }, query: {} },
    ],
  },
  getFollowStatus: { requests: () => byId('users') },
  getTagFollowStatus: { requests: () => words.map((word) => ({ query: { tag: word } })) },
  listFollowedLists: ownContent,
  getProfile: {
    requests: () => [owner, 'cara', 'eve'].map((username) => ({ params: { username } })),
    isOpenedDirectly: true,
  },
  listNotifications: { requests: () => [{ query: {} }] },
  countUnread: ownContent,
  // Tested elsewhere, because its response does not end.
  streamNotifications: { requests: () => [] },
  listLinkProposals: { requests: () => byId('bookmarks') },
  listTrash: ownContent,
  listHistory: ownContent,
  getHome: ownContent,
  getPosition: { requests: () => byId('videos') },
  listBlocks: ownContent,
  listMutes: ownContent,
  listOwnReports: ownContent,
  listOwnDecisions: ownContent,
  listReports: ownContent,
  listContentRules: ownContent,
  listCases: ownContent,
  countCases: ownContent,
  listAppeals: ownContent,
  getCase: { requests: () => byId('videos').map(({ params }) => ({ params: { ...params, kind: 'video' } })) },
  getUserHistory: { requests: () => [{ params: { username: owner } }] },
  searchUsers: ownContent,
  listAuditLog: ownContent,
  exportAuditLog: ownContent,
  getStatistics: ownContent,
  getVideoHealth: ownContent,
  getModerationCounts: ownContent,
  listExports: ownContent,
  getExport: ownWithId(),
  downloadExport: ownWithId(),
  listImports: ownContent,
  listUploads: ownContent,
  listSubscriptions: ownContent,
  listImportRows: ownWithId(),
  downloadImportReport: ownWithId(),
  getImport: ownWithId(),
  getAccountSecurity: ownContent,
  listSessions: ownContent,
  listAccessTokens: ownContent,
  listWebhooks: ownContent,
  listWebhookDeliveries: { requests: () => [{ params: { id: 1 }, query: {} }] },
  // Only access tokens may call it, and it shows the account of the token.
  getConnection: { requests: () => [] },
  listPasskeys: ownContent,
  listIdentities: ownContent,
  getSignInMethods: ownContent,
  getSignInReview: ownContent,
}

/** Documents outside the API. Blocks do not affect them, because everyone gets them as a visitor. */
const publicDocuments = (): string[] =>
  [
    ...[owner, 'cara', 'eve'].map((username) => `/users/${username}`),
    ...listIds('collections').map((id) => `/collections/${id}`),
    ...listIds('channels').map((id) => `/channels/${id}`),
    ...listIds('smart_collections').map((id) => `/smart-collections/${id}`),
    ...['', ...words.map((word) => `?q=${word}`), `?tag=${tag}`, '?tag=common', `?q=user:${owner}`].map(
      (query) => `/explore${query}`,
    ),
  ]
    .flatMap((page) => {
      const [path, query] = page.split('?')
      const withAdult = query === undefined ? '?adult=1' : `?${query}&adult=1`
      return ['atom', 'rss', 'json'].map((format) => `${path}/feed.${format}${withAdult}`)
    })
    .concat(
      [
        ...listIds('collections').map((id) => `/collections/${id}`),
        ...listIds('bookmarks').map((id) => `/bookmarks/${id}`),
      ].flatMap((path) => [
        `/embed${path}`,
        `/oembed?url=${encodeURIComponent(site.settings.publicUrl + path)}`,
      ]),
      [
        '/sitemap.xml',
        ...['bookmarks', 'collections', 'users'].flatMap((kind) =>
          [0, 70, 72, 75].map((file) => `/sitemaps/${kind}/${file}.xml`),
        ),
      ],
    )

/** The kind of content that a writing call names, and the request for the content with an id. */
type Target = { table: Table; request: (id: number) => Parts }
const commentText = { content: 'Hello' }

/** Bodies of calls that name content in their path, where they need one. */
const bodies: Record<string, unknown> = {
  updateBookmark: { title: 'Mine' },
  replaceLink: { source_url: 'https://youtu.be/aqz-KE-bpKQ' },
  proposeLink: { source_url: 'https://youtu.be/aqz-KE-bpKQ' },
  collectCollection: { collection: 1 },
  collectChannel: { collection: 1 },
  updateCollection: { name: 'Mine' },
  createCollectionLink: { shows_private: true },
  updateCollectionLink: { shows_private: true },
  createChannel: { name: 'Mine' },
  reorderChannels: { ids: [] },
  reorderBookmark: { collection: 1, after: null },
  updateChannel: { name: 'Mine' },
  createComment: commentText,
  editComment: commentText,
  createReply: commentText,
  editReply: commentText,
  savePosition: { seconds: 9 },
  createNote: { seconds: 9, text: 'Mine', access: 'private' },
}

/** The tables of content by how paths name them. */
const tablesByPath: Record<string, Table> = {
  bookmarks: 'bookmarks',
  videos: 'videos',
  collections: 'collections',
  channels: 'channels',
  comments: 'comments',
  replies: 'comments',
  users: 'users',
}

/** Calls that name content of others in their body. */
const namedInBody: [string, Target][] = [
  ['collectBookmark', { table: 'bookmarks', request: (id) => ({ body: { bookmark: id, collection: 1 } }) }],
  [
    'bulkUpdateBookmarks',
    { table: 'bookmarks', request: (id) => ({ body: { ids: [id], action: 'tag', tags: ['mine'] } }) },
  ],
  [
    'undoBookmarkChanges',
    {
      table: 'bookmarks',
      request: (id) => ({
        body: { bookmarks: [{ id, collection_id: 1, channel_id: null, access: 'public' }] },
      }),
    },
  ],
  [
    'createReport',
    { table: 'bookmarks', request: (id) => ({ body: { bookmark_id: id, report_type: 'spam' } }) },
  ],
  ['createReport', { table: 'videos', request: (id) => ({ body: { video_id: id, report_type: 'spam' } }) }],
  [
    'createReport',
    { table: 'comments', request: (id) => ({ body: { comment_id: id, report_type: 'spam' } }) },
  ],
  ['createReport', { table: 'users', request: (id) => ({ body: { user_id: id, report_type: 'spam' } }) }],
  ['createMute', { table: 'users', request: (id) => ({ body: { user_id: id } }) }],
]

/** Returns every call of users that writes and names content. Moderators' calls are refused (rights.test.ts). */
function listWrites(): [string, Target][] {
  const inPath = [...contract].flatMap(([name, { method, auth, path }]): [string, Target][] => {
    const table = tablesByPath[/^\/(\w+)\/:id\//.exec(path)?.[1] ?? '']
    if (method === 'GET' || auth !== 'user' || table === undefined) return []
    const body = bodies[name]
    return [[name, { table, request: (id) => ({ params: { id }, ...(body !== undefined && { body }) }) }]]
  })
  return [...inPath, ...namedInBody]
}

let contract: Map<string, Endpoint>
beforeAll(async () => {
  contract = new Map(await loadEndpoints())
})

async function send(endpoint: Endpoint, { params = {}, query = {}, body }: Parts, as: TestUser | null) {
  const reply = await site.app.inject({
    method: endpoint.method,
    url: endpointUrl(endpoint, params as never, query as never),
    ...(as !== null && { headers: { authorization: `Bearer ${as.access}` } }),
    ...(body !== undefined && { payload: body as object }),
  })
  return [reply.statusCode, reply.body === '' ? null : (reply.json() as unknown)] as const
}

/** Makes all calls that read, and returns the responses by call and request. */
async function readAll(as: TestUser | null, include: (readCall: ReadCall) => boolean = () => true) {
  const responses: Record<string, unknown> = {}
  for (const [name, readCall] of Object.entries(readCalls)) {
    if (!include(readCall)) continue
    for (const parts of readCall.requests()) {
      responses[`${name} ${JSON.stringify(parts)}`] = await send(contract.get(name) as Endpoint, parts, as)
    }
  }
  for (const url of as === null ? publicDocuments() : as === eve ? [evesFeed] : []) {
    const { statusCode, body } = await site.app.inject(url)
    responses[url] = [statusCode, body]
  }
  // The number that the digest would contain.
  if (as !== null) responses.digest = await countForDigest(site.db, as.id, new Date(0))
  return responses
}

/** Starts a site with Eve and a public film of Cara's. */
async function startSite(): Promise<void> {
  site = await bootApp()
  eve = await signUp(site, 'eve')
  cara = await signUp(site, 'cara')
  const body = { name: 'Reader', scopes: ['feed' as const], expires_in_days: null }
  const { token } = await site.call(createAccessToken, { body }, eve)
  evesFeed = `/feeds/${token}/following.atom?adult=1`
  // The time of the last use is updated once a minute, which is a difference between responses.
  await site.db`update access_tokens set last_used_at = now() + interval '1 day'`
  shared = await saveFilm(site, cara, 'shared', { video: { title: 'Film shared', tags: ['common'] } })
  carasDestination = await vaultDestination(site, cara)
  const rows = await site.db<{ id: number }[]>`
    select derive_video_id('https://films.example.org/watch/' || word, 0) as id from unnest(${words}::text[]) word`
  videoIds = rows.map(({ id }) => id)
}

async function setFirstIds(tables: Table[]): Promise<void> {
  for (const table of tables) {
    if (table === 'videos') continue
    await site.db.unsafe(`alter table ${table} alter column id restart with ${firstIds[table]}`)
  }
}

/** Creates smart collections with the words of the content. */
async function createSmartCollections({ id }: TestUser, access: 'public' | 'private'): Promise<void> {
  await site.db`
    insert into smart_collections (user_id, name, access, query, is_personal)
    select ${id}, word, ${access}, json_build_object('scope', scope, 'q', word), false
      from unnest(${words.slice(0, 2)}::text[]) word, unnest('{own,all}'::text[]) scope`
}

/** Checks that the new content has the ids that were requested before. */
async function expectRequestedIds(tables: Table[]): Promise<void> {
  for (const table of tables) {
    const rows =
      table === 'videos'
        ? await site.db`select id from videos where canonical_url like any (${words.map((word) => `%/${word}`)})`
        : await site.db.unsafe(`select id from ${table} where id >= ${firstIds[table]}`)
    expect(rows.length, table).toBeGreaterThan(0)
    for (const { id } of rows) expect(listIds(table), table).toContain(id)
  }
}

const destinations = ['bookmarks', 'videos', 'comments'] as const

test('every call that reads has an entry', () => {
  const readingNames = [...contract].filter(([, { method }]) => method === 'GET').map(([name]) => name)
  expect(Object.keys(readCalls).sort()).toEqual(readingNames.sort())
})

test('calls that write to content of others are found by their paths', () => {
  const names = listWrites().map(([name]) => name)
  expect(names).toEqual(expect.arrayContaining(['updateBookmark', 'toggleLike', 'editReply', 'blockUser']))
  const needBody = listWrites().filter(([name, { request }]) => {
    const required = (contract.get(name)?.body as { required?: string[] } | undefined)?.required ?? []
    return required.length > 0 && request(1).body === undefined
  })
  expect(needBody.map(([name]) => name)).toEqual([])
})

/** One of each module that decides visibility runs in `npm test`: the access of bookmarks and the status of videos. */
const hiddenContent = [
  ['a private bookmark', 'private', []],
  ['a public bookmark in a private collection', 'in private', ['heavy']],
  ['a hidden video', 'hidden', []],
  ['a removed video', 'removed', ['heavy']],
  ['a bookmark in the trash', 'trashed', ['heavy']],
] as const
for (const [name, visibility, tags] of hiddenContent)
  describe(name, { tags: [...tags] }, () => {
    let owen: TestUser
    let before: Record<string, unknown>[]
    const callers = () => [null, eve]

    beforeAll(async () => {
      await startSite()
      owen = await signUp(site, owner)
      // Eve follows Owen, so she would be notified of his public bookmarks.
      await site.db`insert into follows (follower_id, followee_id) values (${eve.id}, ${owen.id})`
      // What he saves with these tags and in this collection would be in her feed, too.
      const { collection_id } = await vaultDestination(site, owen)
      await site.db`insert into followed_lists (user_id, collection_id) values (${eve.id}, ${collection_id})`
      await site.db`insert into followed_lists (user_id, tag) select ${eve.id}, unnest(${[...words, tag]}::text[])`
      await saveFilm(site, owen, 'open', { video: { title: 'Film open', tags: ['common'] } })
      await setFirstIds([...destinations, 'collections', 'channels', 'smart_collections'])
      before = [await readAll(null), await readAll(eve)]

      const target =
        visibility === 'in private'
          ? await createDestination(site, owen, 'private')
          : await vaultDestination(site, owen)
      await createSmartCollections(owen, 'private')
      for (const [index, word] of words.entries()) {
        const { id, video } = await saveFilm(site, owen, word, {
          video: { title: `Film ${word}`, description: `About ${word}`, tags: [word, tag, 'common'] },
          bookmark: {
            channel_id: target.channel_id,
            // Some in a private collection are private, too: its secret link can show these.
            access:
              visibility === 'private' || (visibility === 'in private' && index === 0) ? 'private' : 'public',
          },
        })
        await site.db`insert into profile_pins (user_id, position, bookmark_id) values (${owen.id}, ${index + 1}, ${id})`
        await site.db`
        insert into comments (video_id, user_id, content) values (${video.id}, ${owen.id}, ${`I like ${word}`})`
        // These were created while the video was visible.
        await site.db`insert into likes (user_id, video_id) values (${owen.id}, ${video.id}), (${eve.id}, ${video.id}), (${cara.id}, ${video.id})`
        await site.db`insert into watched_videos (user_id, video_id) values (${eve.id}, ${video.id})`
        await site.db`
        insert into playback_positions (user_id, video_id, seconds) values (${eve.id}, ${video.id}, 9), (${owen.id}, ${video.id}, 8)`
      }
      if (visibility === 'in private') {
        await site.db`insert into profile_pins (user_id, position, collection_id) values (${owen.id}, 6, ${target.collection_id})`
      }
      if (visibility === 'hidden' || visibility === 'removed') {
        await site.db`update videos set status = ${visibility} where id = any (${videoIds})`
      }
      if (visibility === 'trashed')
        await site.db`update bookmarks set deleted_at = now() where id >= ${firstIds.bookmarks}`
      await expectRequestedIds([
        ...destinations,
        'smart_collections',
        ...(visibility === 'in private' ? (['collections', 'channels'] as const) : []),
      ])
    })
    afterAll(() => site.close())

    test('changes no response to other users, neither in lists nor in counts', async () => {
      for (const [n, as] of callers().entries()) expect(await readAll(as)).toEqual(before[n])
    })

    if (visibility === 'in private')
      test('changes no response to users without its secret link once there is one', async () => {
        for (const shows_private of [true, false]) {
          const params = { id: firstIds.collections }
          const { link } = await site.call(createCollectionLink, { params, body: { shows_private } }, owen)
          const query = { params: { token: link?.token ?? '' }, query: {} }
          // Also after someone opened the link.
          for (const as of [null, eve])
            expect(await send(getUnlistedCollection, query, as)).toMatchObject([
              200,
              { count: words.length - (shows_private ? 0 : 1) },
            ])
          for (const [n, as] of callers().entries()) expect(await readAll(as)).toEqual(before[n])
        }
      })

    test('is visible to its owner', async () => {
      const showingCalls = [readCalls.getBookmark, readCalls.listTrash]
      const seen = JSON.stringify(
        await readAll(owen, (readCall) => visibility === 'removed' || showingCalls.includes(readCall)),
      )
      // Bookmarks in the trash are listed there; removed videos appear in the moderators' decision only.
      for (const word of words) expect(seen.includes(`Film ${word}`)).toBe(visibility !== 'removed')
    })

    test('cannot be changed by others, who get the same responses as for content that does not exist', async () => {
      const differences: unknown[] = []
      const withoutId = (reply: unknown, id: number) => JSON.stringify(reply).replaceAll(String(id), 'ID')
      for (const [name, { table, request }] of listWrites()) {
        const endpoint = contract.get(name) as Endpoint
        const missing = await send(endpoint, request(missingId), eve)
        expect([200, 400, 404], `${name} ${JSON.stringify(missing)}`).toContain(missing[0])
        for (const id of listIds(table)) {
          const reply = await send(endpoint, request(id), eve)
          if (withoutId(reply, id) !== withoutId(missing, missingId))
            differences.push([name, table, reply, missing])
        }
      }
      expect(differences).toEqual([])
    })
  })

describe('a user who blocked the viewer', () => {
  let before: Record<string, unknown>
  let owen: TestUser

  beforeAll(async () => {
    await startSite()
    const comment = await site.db<[{ id: number }]>`
      insert into comments (video_id, user_id, content) values (${shared.video.id}, ${cara.id}, 'Words') returning id`
    await setFirstIds(Object.keys(firstIds) as Table[])
    before = await readAll(eve)
    const visitorResponses = await readAll(null)

    owen = await signUp(site, owner)
    await createSmartCollections(owen, 'public')
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
    await site.call(createReply, { params: { id: comment[0].id }, body: { content: 'Loudest' } }, owen)
    await site.db`insert into blocks (blocker_id, blocked_id) values (${owen.id}, ${eve.id})`
    await expectRequestedIds([...(Object.keys(firstIds) as Table[]), 'videos'])
    expect(await readAll(null)).not.toEqual(visitorResponses)
  })
  afterAll(() => site.close())

  /** Excludes stored counters and responses about a known video, which blocks do not affect (decision 0012). */
  const counterNames = /^(likes|saves|followers|following|uses|bookmarks)_count$/
  const isVideoResponse = (key: string) =>
    /^(getLikeStatus|listCollectors|listComments) /.test(key) &&
    videoIds.some((id) => key.includes(`"id":${id}`))
  const comparable = (responses: Record<string, unknown>): Record<string, unknown> =>
    JSON.parse(JSON.stringify(responses), (key, value) => {
      if (counterNames.test(key) || isVideoResponse(key) || key.startsWith('listTags ')) return undefined
      const isUserList = /^(listCollectors|listFollowers|listFollowing) /.test(key)
      return isUserList && value[0] === 200 ? [200, { ...value[1], count: null }] : value
    })
  /** Returns the responses that differ. */
  const differences = (current: Record<string, unknown>, earlier: Record<string, unknown>) =>
    Object.keys(current).flatMap((key) =>
      isDeepStrictEqual(current[key], earlier[key])
        ? []
        : [{ key, before: earlier[key], after: current[key] }],
    )

  test('and their content are indistinguishable from nonexistent ones', async () => {
    expect(differences(comparable(await readAll(eve)), comparable(before))).toEqual([])
  })

  test('and the videos only they saved cannot be liked, commented or collected', async () => {
    const seen = comparable(await readAll(eve))
    const refusedNames = [
      'createComment',
      'createReply',
      'toggleWatchLater',
      'collectBookmark',
      'collectCollection',
      'collectChannel',
      'toggleFollow',
      'unfollowUser',
      'followCollection',
      'unfollowCollection',
      'followChannel',
      'unfollowChannel',
    ]
    for (const [name, { table, request }] of listWrites()) {
      if (!refusedNames.includes(name)) continue
      for (const id of listIds(table)) {
        const [status, reply] = await send(contract.get(name) as Endpoint, request(id), eve)
        expect([400, 404], `${name} ${JSON.stringify([id, reply])}`).toContain(status)
      }
    }
    expect(differences(comparable(await readAll(eve)), seen)).toEqual([])
  })

  test('is omitted from the lists of a viewer who blocked them instead, and causes no notifications', async () => {
    await site.db`delete from blocks`
    await site.db`insert into blocks (blocker_id, blocked_id) values (${eve.id}, ${owen.id})`
    const current = comparable(await readAll(eve, ({ isOpenedDirectly }) => isOpenedDirectly !== true))
    const found = differences(current, comparable(before)).map(({ key }) => key)
    // Owen's own lists are opened from his profile, which Eve can still see.
    expect(found.filter((key) => !key.includes(`"id":${owen.id}`))).toEqual(['listBlocks {}'])
  })
})
