/**
 * Who may call what: every endpoint of the contract, by every kind of caller. docs/rights.md is written from it
 * (`npm test -- server/rights -u`). A call that is added needs a row in `cases`.
 */
import { randomBytes } from 'node:crypto'
import { type Endpoint, requiredScope } from '@reelmark/contract/protocol/endpoint.ts'
import { type ErrorName, errors } from '@reelmark/contract/protocol/errors.ts'
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointUrl } from '../contract/protocol/call.ts'
import { tokenOptions } from './core/auth/tokens.ts'
import { isForbiddenToSuspended } from './core/http/endpoints.ts'
import { OutboundError } from './core/outbound/outbound-error.ts'
import {
  type CallerKind,
  type Callers,
  createCallers,
  otherKinds,
  ownerKinds,
  rejectedKinds,
  scopeByKind,
} from './testing/callers.ts'
import { loadEndpoints } from './testing/contract-endpoints.ts'
import { openCorpus } from './testing/corpora.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { createDestination, saveFilm, vaultDestination } from './testing/test-bookmarks.ts'
import type { TestUser } from './testing/test-users.ts'

/** What is answered: the endpoint's own success, or an error by its name. */
type Outcome = 'let in' | ErrorName

interface Case {
  /** Which of several, where the answer depends on what is asked for. */
  of?: string
  /** A valid request about things of the owner's. */
  send?: (owner: TestUser) => Parts | Promise<Parts>
  /** For its owner; what no right decides (a ticket that is none) says so here. */
  own?: Outcome
  /** Where the named thing is somebody else's; left out where nothing is anybody's: then as for the owner. */
  others?: Outcome
  /** Moderators, where they may more than others. */
  moderators?: Outcome
  /** Visitors, where they may less than others. */
  visitor?: Outcome
}
interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

let site: TestApp
let callers: Callers
const ticket = 'a ticket that nobody was given'
const credential = { id: 'x', rawId: 'x', type: 'public-key', response: {} }
const unused = () => randomBytes(6).toString('hex')
const newPassword = { new_password1: 'another walk by the sea', new_password2: 'another walk by the sea' }
const byId = (id: number) => ({ params: { id } })

const ownSession = async (owner: TestUser) => byId(await callers.session(owner))
const ownAccessToken = async (owner: TestUser) => byId((await callers.accessToken(owner, ['read'])).id)
const ownPasskey = async ({ id }: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    insert into passkeys (user_id, credential_id, public_key, name)
    values (${id}, ${randomBytes(16)}, ${randomBytes(16)}, 'a key') returning id`
  return byId(row.id)
}
const ownIdentity = async ({ id }: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    insert into identities (user_id, issuer, subject) values (${id}, 'https://id.example.org', ${unused()})
    returning id`
  return byId(row.id)
}
const ownAuthenticator = async ({ id }: TestUser) => {
  await site.db`
    insert into authenticators (user_id, secret, confirmed_at) values (${id}, ${randomBytes(16)}, now())`
  return {}
}
const ownExport = async ({ id }: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    with made as (
      insert into exports (user_id, state, size, finished_at, expires_at)
      values (${id}, 'done', 2, now(), now() + interval '1 day') returning id)
    insert into export_chunks (export_id, number, data) select id, 0, '{}' from made returning export_id as id`
  return byId(row.id)
}
const ownImport = async (owner: TestUser) => byId(await begun(owner, '/api/transfer/imports/', nothing))
const ownBookmark = (access: 'public' | 'private') => async (owner: TestUser) =>
  byId((await saveFilm(site, owner, unused(), { bookmark: { access } })).id)
const hiddenBookmark = async (owner: TestUser) => {
  const { id, video } = await saveFilm(site, owner, unused())
  await site.db`update videos set status = 'hidden' where id = ${video.id}`
  return byId(id)
}
const ownVideo = (access: 'public' | 'private', body?: object) => async (owner: TestUser) => ({
  ...byId((await saveFilm(site, owner, unused(), { bookmark: { access } })).video.id),
  ...(body && { body }),
})
/** Of the owner's, on a video of theirs; a hidden one, too. */
const ownComment =
  (kind: 'comment' | 'reply', { body, hidden = false }: { body?: object; hidden?: boolean } = {}) =>
  async (owner: TestUser) => {
    const { video } = await saveFilm(site, owner, unused())
    const [comment] = await site.db<[{ id: number }]>`
      insert into comments (video_id, user_id, content) values (${video.id}, ${owner.id}, 'Hello') returning id`
    const [reply] = await site.db<[{ id: number }]>`
      insert into comments (video_id, user_id, content, parent_id)
      values (${video.id}, ${owner.id}, 'Hello', ${comment.id}) returning id`
    if (hidden) await site.db`update videos set status = 'hidden' where id = ${video.id}`
    return { ...byId((kind === 'comment' ? comment : reply).id), ...(body && { body }) }
  }
const words = { content: 'Something else' }
const hiddenVideo = async (owner: TestUser) => {
  const { video } = await saveFilm(site, owner, unused())
  await site.db`update videos set status = 'hidden' where id = ${video.id}`
  return byId(video.id)
}
const findReport = async (owner: TestUser, report_type = 'spam') => {
  const { id: bookmark_id, video } = await saveFilm(site, owner, unused())
  const [row] = await site.db<[{ id: number }]>`
    insert into reports (target_kind, target_id, video_id, bookmark_id, user_id, report_type, hid)
    values ('video', ${video.id}, ${video.id}, ${bookmark_id}, ${owner.id}, ${report_type}, false) returning id`
  return { report_id: row.id, video_id: video.id }
}
const ownCase = (body?: object) => async (owner: TestUser) => ({
  params: { kind: 'video', id: (await findReport(owner)).video_id },
  ...(body && { body }),
})
/** That somebody was warned. */
const ownWarning = async ({ id }: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    insert into moderation_decisions (action, target_kind, target_id, user_id) values ('warn', 'user', ${id}, ${id})
    returning id`
  return row.id
}
const removal = async (owner: TestUser) => {
  const { video } = await saveFilm(site, owner, unused())
  await site.db`update videos set status = 'removed' where id = ${video.id}`
  const [row] = await site.db<[{ id: number }]>`
    insert into moderation_decisions (action, target_kind, target_id, video_id)
    values ('remove', 'video', ${video.id}, ${video.id}) returning id`
  return { ...byId(row.id), body: {} }
}
/** Somebody else, who is banned or suspended where that is named. */
const createStranger = (body?: object, since?: 'banned_at' | 'suspended_until') => async () => {
  const { id } = await callers.person()
  if (since !== undefined) {
    await site.db`update users set ${site.db(since)} = now() + interval '1 day' where id = ${id}`
  }
  return { ...byId(id), ...(body && { body }) }
}
const edited = (send: (owner: TestUser) => Promise<Parts>) => async (owner: TestUser) => ({
  ...(await send(owner)),
  body: { title: 'Set right' },
})
const reported =
  (send: (owner: TestUser) => Promise<{ params: { id: number } }>) => async (owner: TestUser) => ({
    body: { video_id: (await send(owner)).params.id, report_type: 'spam' },
  })
const ownMute = async ({ id }: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    insert into mutes (user_id, tag) values (${id}, 'cats') returning id`
  return byId(row.id)
}
const ownCollection = (access: 'public' | 'private') => async (owner: TestUser) =>
  byId((await createDestination(site, owner, access)).collection_id)
const ownChannelIn = (access: 'public' | 'private') => async (owner: TestUser) =>
  byId((await createDestination(site, owner, access)).channel_id)
const queued = (access: 'public' | 'private') => async (owner: TestUser) => {
  const { channel_id } = await createDestination(site, owner, access)
  const { id } = await saveFilm(site, owner, unused(), { bookmark: { channel_id } })
  return { ...byId(id), query: { channel: channel_id } }
}
const ownTarget = async (owner: TestUser) => ({
  collection: (await createDestination(site, owner)).collection_id,
})
const collected = (send: (owner: TestUser) => Promise<Parts>) => async (owner: TestUser) => ({
  ...(await send(owner)),
  body: await ownTarget(owner),
})
function ofVideos(): Case[] {
  const keptBy = (access: 'public' | 'private') => async (owner: TestUser) =>
    byId((await saveFilm(site, owner, unused(), { bookmark: { access } })).video.id)
  return [
    { of: 'a public video', send: keptBy('public'), others: 'let in' },
    { of: 'a video kept in private', send: keptBy('private'), others: 'not-found' },
  ]
}
const renamed = (send: (owner: TestUser) => Promise<Parts>) => async (owner: TestUser) => ({
  ...(await send(owner)),
  body: { name: 'Renamed' },
})
/** Of what others may see they are told that it is not theirs; of the rest, that it is not there. */
const ownOrSeen = (send: (access: 'public' | 'private') => (owner: TestUser) => Promise<Parts>): Case[] => [
  { of: 'a public one', send: send('public'), others: 'forbidden' },
  { of: 'a private one', send: send('private'), others: 'not-found' },
]
const ownChannel = async (owner: TestUser) => ({
  body: {
    video: { source_url: `https://films.example.org/watch/${unused()}`, title: 'A film' },
    bookmark: { channel_id: (await vaultDestination(site, owner)).channel_id },
  },
})

const nothing = {
  format: 'reelmark',
  version: 1,
  exported_at: '2026-01-01T00:00:00Z',
  username: 'somebody',
  profile: {
    bio: '',
    default_bookmark_orientation: 'sfw',
    default_bookmark_collection: null,
    notify_on_follow: true,
    notify_on_own_video_bookmarked: true,
    notify_on_new_bookmark_from_followed_user: true,
    notify_on_own_video_liked: true,
  },
  collections: [],
  bookmarks: [],
  likes: [],
  following: [],
  comments: [],
}

/** By the endpoint's name in the contract. Rights follow from what is declared there, except as said here. */
/** Of the block lists. */
async function aRule(): Promise<number> {
  const [row] = await site.db<[{ id: number }]>`
    insert into content_rules (kind, pattern, effect) values ('word', ${unused()}, 'hold') returning id`
  return row.id
}

const cases: Record<string, Case[]> = {
  // Accounts and sessions
  register: [
    {
      send: () => {
        const username = `u${unused()}`
        const password = 'a walk in the hills'
        return { body: { username, email: `${username}@example.org`, password, password2: password } }
      },
    },
  ],
  logIn: [{ send: ({ username, password }) => ({ body: { username, password } }) }],
  refreshTokens: [
    { of: 'a refresh token', send: ({ refresh }) => ({ body: { refresh } }) },
    { of: 'an access token', send: ({ access }) => ({ body: { refresh: access } }), own: 'invalid-token' },
    {
      of: 'an access token for scripts',
      send: async (owner) => ({ body: { refresh: (await callers.accessToken(owner, ['write'])).token } }),
      own: 'invalid-token',
    },
  ],
  logOut: [
    { of: 'a refresh token', send: ({ refresh }) => ({ body: { refresh } }) },
    { of: 'an access token', send: ({ access }) => ({ body: { refresh: access } }), own: 'invalid-token' },
  ],
  requestPasswordReset: [{ send: ({ email }) => ({ body: { email } }) }],
  confirmPasswordReset: [
    { send: () => ({ body: { uidb64: 'Nw', token: ticket, ...newPassword } }), own: 'invalid-reset-link' },
  ],
  changePassword: [{ send: ({ password }) => ({ body: { old_password: password, ...newPassword } }) }],
  listSessions: [{}],
  endSession: [{ send: ownSession, others: 'not-found' }],
  endOtherSessions: [{}],

  // The second step of a login
  logInWithSecondFactor: [
    { send: () => ({ body: { ticket, verification_code: '123456' } }), own: 'ticket-expired' },
  ],
  beginAuthenticator: [{}],
  confirmAuthenticator: [{ send: () => ({ body: { verification_code: '123456' } }), own: 'invalid' }],
  deleteAuthenticator: [{ send: ownAuthenticator, others: 'not-found' }],
  renewRecoveryCodes: [{ send: ownAuthenticator, others: 'not-found' }],

  // Passkeys
  beginPasskeyLogin: [{ send: () => ({ body: {} }) }],
  logInWithPasskey: [{ send: () => ({ body: { ticket, credential } }), own: 'ticket-expired' }],
  beginPasskeyReauthentication: [{}],
  reauthenticateWithPasskey: [{ send: () => ({ body: { ticket, credential } }), own: 'ticket-expired' }],
  listPasskeys: [{}],
  beginAddingPasskey: [{}],
  addPasskey: [{ send: () => ({ body: { ticket, credential, name: 'a key' } }), own: 'ticket-expired' }],
  renamePasskey: [
    {
      send: async (owner) => ({ ...(await ownPasskey(owner)), body: { name: 'my key' } }),
      others: 'not-found',
    },
  ],
  deletePasskey: [{ send: ownPasskey, others: 'not-found' }],

  // Signing in through another site, of which this one has none
  getSignInMethods: [{}],
  beginOidcLogin: [{ own: 'not-found' }],
  logInWithOidc: [{ send: () => ({ body: { state: 'x', code: 'x' } }), own: 'not-found' }],
  registerWithOidc: [{ send: () => ({ body: { ticket, username: `u${unused()}` } }), own: 'ticket-expired' }],
  listIdentities: [{}],
  beginLinkingIdentity: [{ own: 'not-found' }],
  addIdentity: [{ send: () => ({ body: { state: 'x', code: 'x' } }), own: 'not-found' }],
  deleteIdentity: [{ send: ownIdentity, others: 'not-found' }],

  // Access tokens for scripts
  listAccessTokens: [{}],
  createAccessToken: [
    { send: () => ({ body: { name: 'a script', scopes: ['read'], expires_in_days: null } }) },
  ],
  deleteAccessToken: [{ send: ownAccessToken, others: 'not-found' }],

  // The account
  getAccountSecurity: [{}],
  reauthenticate: [{ send: ({ password }) => ({ body: { password } }) }],
  changeEmail: [{ send: () => ({ body: { email: `${unused()}@example.org` } }) }],
  cancelEmailChange: [{}],
  confirmEmailChange: [{ send: () => ({ body: { token: ticket } }), own: 'invalid-email-link' }],
  deleteAccount: [{ send: ({ password }) => ({ body: { password } }) }],

  // Taking everything away, and bringing it in
  startExport: [{}],
  listExports: [{}],
  getExport: [{ send: ownExport, others: 'not-found' }],
  downloadExport: [{ send: ownExport, others: 'not-found' }],
  startImport: [{ send: () => ({ body: nothing }) }],
  listImports: [{}],
  getImport: [{ send: ownImport, others: 'not-found' }],

  // Profiles
  getProfile: [{ send: ({ username }) => ({ params: { username } }), others: 'let in' }],
  updateProfile: [
    { send: ({ username }) => ({ params: { username }, body: { bio: 'Hello' } }), others: 'forbidden' },
  ],

  // Bookmarks, lists and places
  getBookmark: [
    { of: 'a public one', send: ownBookmark('public'), others: 'let in' },
    { of: 'a private one', send: ownBookmark('private'), others: 'not-found' },
    { of: 'a hidden one', send: hiddenBookmark, others: 'not-found', moderators: 'let in' },
  ],
  saveBookmark: [{ send: ownChannel, others: 'invalid' }],
  saveBookmarkManually: [{ send: ownChannel, others: 'invalid' }],
  extractMetadata: [{ send: () => ({ body: { url: 'https://youtu.be/aqz-KE-bpKQ' } }) }],
  listVideos: [
    { of: 'Explore' },
    {
      of: 'what the followed save',
      send: () => ({ query: { sort: 'following' } }),
      visitor: 'unauthenticated',
    },
  ],
  listCollections: [
    { of: 'somebody’s', send: ({ username }) => ({ query: { user: username } }), others: 'let in' },
    { of: 'one’s own', visitor: 'unauthenticated' },
  ],
  listChannels: [
    { of: 'a public collection', send: ownCollection('public'), others: 'let in' },
    { of: 'a private collection', send: ownCollection('private'), others: 'not-found' },
  ],
  updateBookmark: ownOrSeen((access) => async (owner) => ({
    ...(await ownBookmark(access)(owner)),
    body: { title: 'Renamed' },
  })),
  trashBookmark: ownOrSeen(ownBookmark),
  restoreBookmark: [
    {
      send: async (owner) => {
        const parts = await ownBookmark('public')(owner)
        await site.db`update bookmarks set deleted_at = now() where id = ${parts.params.id}`
        return parts
      },
      others: 'not-found',
    },
  ],
  listTrash: [{}],
  emptyTrash: [{}],
  // Whatever is not one's own is told as not found, in the answer.
  bulkUpdateBookmarks: [
    {
      send: async (owner) => {
        const { params } = await ownBookmark('public')(owner)
        return { body: { ids: [params.id], action: 'trash' } }
      },
      others: 'let in',
    },
  ],
  undoBookmarkChanges: [
    {
      send: async (owner) => {
        const { params } = await ownBookmark('public')(owner)
        const before = { id: params.id, ...(await vaultDestination(site, owner)), access: 'private' as const }
        return { body: { bookmarks: [before] } }
      },
      others: 'let in',
    },
  ],
  collectBookmark: [
    {
      send: async (owner) => ({
        body: { bookmark: (await ownBookmark('public')(owner)).params.id, ...(await ownTarget(owner)) },
      }),
      others: 'invalid',
    },
  ],
  collectCollection: [
    { of: 'a private one', send: collected(ownCollection('private')), others: 'not-found' },
    { of: 'into another’s place', send: collected(ownCollection('public')), others: 'invalid' },
  ],
  collectChannel: [
    { of: 'one in a private collection', send: collected(ownChannelIn('private')), others: 'not-found' },
    { of: 'into another’s place', send: collected(ownChannelIn('public')), others: 'invalid' },
  ],
  findOwnBookmarksByUrl: [{ send: () => ({ query: { url: 'https://youtu.be/aqz-KE-bpKQ' } }) }],
  toggleWatchLater: ofVideos(),
  markWatched: ofVideos(),
  // Of a video that is not there, too: there is no mark then.
  clearWatched: [{}],
  unmarkWatched: [{ send: async (owner) => byId((await saveFilm(site, owner, unused())).video.id) }],
  listSimilar: [
    { of: 'a public one', send: ownBookmark('public'), others: 'let in' },
    { of: 'a private one', send: ownBookmark('private'), others: 'not-found' },
    { of: 'a hidden one', send: hiddenBookmark, others: 'not-found', moderators: 'let in' },
  ],
  getPlayQueue: [
    { of: 'a public channel', send: queued('public'), others: 'let in' },
    { of: 'a channel in a private collection', send: queued('private'), others: 'not-found' },
  ],
  getCollection: [
    { of: 'a public one', send: ownCollection('public'), others: 'let in' },
    { of: 'a private one', send: ownCollection('private'), others: 'not-found' },
  ],
  createCollection: [{ send: () => ({ body: { name: 'Films' } }) }],
  updateCollection: ownOrSeen((access) => renamed(ownCollection(access))),
  deleteCollection: ownOrSeen(ownCollection),
  reorderCollections: [
    {
      send: async (owner) => ({ body: { ids: [(await ownCollection('public')(owner)).params.id] } }),
      others: 'invalid',
    },
  ],
  createChannel: ownOrSeen((access) => renamed(ownCollection(access))),
  reorderChannels: ownOrSeen((access) => async (owner) => {
    const { collection_id, channel_id } = await createDestination(site, owner, access)
    return { ...byId(collection_id), body: { ids: [channel_id] } }
  }),
  getChannel: [
    { of: 'one in a public collection', send: ownChannelIn('public'), others: 'let in' },
    { of: 'one in a private collection', send: ownChannelIn('private'), others: 'not-found' },
  ],
  updateChannel: ownOrSeen((access) => renamed(ownChannelIn(access))),
  deleteChannel: ownOrSeen(ownChannelIn),
  listTags: [{}],

  // Comments
  listComments: [
    { of: 'a public video', send: ownVideo('public'), others: 'let in' },
    { of: 'a video kept in private', send: ownVideo('private'), others: 'not-found' },
  ],
  createComment: [
    { of: 'a public video', send: ownVideo('public', words), others: 'let in' },
    {
      of: 'a video kept in private',
      send: ownVideo('private', words),
      own: 'forbidden',
      others: 'not-found',
    },
  ],
  getComment: [
    { of: 'on a public video', send: ownComment('comment'), others: 'let in' },
    {
      of: 'on a hidden video',
      send: ownComment('reply', { hidden: true }),
      others: 'not-found',
      moderators: 'let in',
    },
  ],
  editComment: [{ send: ownComment('comment', { body: words }), others: 'forbidden' }],
  deleteComment: [{ send: ownComment('comment'), others: 'forbidden' }],
  listReplies: [
    { of: 'on a public video', send: ownComment('comment'), others: 'let in' },
    {
      of: 'on a hidden video',
      send: ownComment('comment', { hidden: true }),
      others: 'not-found',
      moderators: 'let in',
    },
  ],
  createReply: [{ send: ownComment('comment', { body: words }), others: 'let in' }],
  editReply: [{ send: ownComment('reply', { body: words }), others: 'forbidden' }],
  deleteReply: [{ send: ownComment('reply'), others: 'forbidden' }],

  // Likes and follows; people out of each other's sight
  getLikeStatus: [
    { of: 'a public video', send: ownVideo('public'), others: 'let in' },
    { of: 'a private one', send: ownVideo('private'), others: 'not-found' },
    { of: 'a hidden one', send: hiddenVideo, others: 'not-found', moderators: 'let in' },
  ],
  toggleLike: [
    { of: 'a public video', send: ownVideo('public'), others: 'let in' },
    { of: 'a private one', send: ownVideo('private'), others: 'not-found' },
    { of: 'a hidden one', send: hiddenVideo, others: 'not-found', moderators: 'let in' },
  ],
  listCollectors: [
    { of: 'a public video', send: ownVideo('public'), others: 'let in' },
    { of: 'a private one', send: ownVideo('private'), others: 'not-found' },
    { of: 'a hidden one', send: hiddenVideo, others: 'not-found', moderators: 'let in' },
  ],
  getFollowStatus: [{ send: ({ id }) => byId(id), others: 'let in' }],
  toggleFollow: [{ send: ({ id }) => byId(id), own: 'cannot-target-self', others: 'let in' }],
  followUser: [{ send: ({ id }) => byId(id), own: 'cannot-target-self', others: 'let in' }],
  unfollowUser: [{ send: ({ id }) => byId(id), own: 'cannot-target-self', others: 'let in' }],
  listFollowers: [{ send: ({ id }) => byId(id), others: 'let in' }],
  listFollowing: [{ send: ({ id }) => byId(id), others: 'let in' }],
  blockUser: [{ send: ({ id }) => byId(id), own: 'cannot-target-self', others: 'let in' }],
  unblockUser: [{ send: ({ id }) => byId(id), own: 'cannot-target-self', others: 'let in' }],
  listBlocks: [{}],
  createMute: [{ send: () => ({ body: { tag: 'cats' } }) }],
  listMutes: [{}],
  deleteMute: [{ send: ownMute, others: 'not-found' }],

  // Notifications
  listNotifications: [{}],
  countUnread: [{}],
  markNotificationsRead: [{ send: () => ({ body: { all: true } }) }],
  streamNotifications: [{}],
  unsubscribe: [{ send: () => ({ body: { token: ticket } }), own: 'invalid-email-link' }],

  // Reports, and what moderators do about them
  createReport: [
    { of: 'a public video', send: reported(ownVideo('public')), others: 'let in' },
    { of: 'a private one', send: reported(ownVideo('private')), others: 'not-found' },
    { of: 'a hidden one', send: reported(hiddenVideo), others: 'not-found', moderators: 'let in' },
    {
      of: 'a comment',
      send: async (owner) => ({
        body: { comment_id: (await ownComment('comment')(owner)).params.id, report_type: 'spam' },
      }),
      own: 'cannot-target-self',
      others: 'let in',
    },
    {
      of: 'a person',
      send: ({ id }) => ({ body: { user_id: id, report_type: 'spam' } }),
      own: 'cannot-target-self',
      others: 'let in',
    },
  ],
  listOwnReports: [{}],
  listOwnDecisions: [{}],
  createAppeal: [
    {
      send: async (owner) => ({ ...byId(await ownWarning(owner)), body: { text: 'I did not' } }),
      others: 'not-found',
    },
  ],
  listReports: [{}],
  listCases: [{}],
  countCases: [{}],
  getCase: [{ send: ownCase() }],
  claimCase: [{ send: ownCase({}) }],
  releaseCase: [{ send: ownCase() }],
  approveReport: [{ send: async (owner) => ({ body: { report_id: (await findReport(owner)).report_id } }) }],
  rejectReport: [{ send: async (owner) => ({ body: { report_id: (await findReport(owner)).report_id } }) }],
  decideReports: [
    {
      send: async (owner) => ({
        body: { report_ids: [(await findReport(owner)).report_id], decision: 'reject' },
      }),
    },
  ],
  editVideo: [
    { of: 'a public one', send: edited(ownVideo('public')), others: 'let in' },
    { of: 'a private one', send: edited(ownVideo('private')), own: 'not-found' },
  ],
  editBookmark: [
    { of: 'a public one', send: edited(ownBookmark('public')), others: 'let in' },
    { of: 'a private one', send: edited(ownBookmark('private')), own: 'not-found' },
  ],
  restoreDecision: [{ send: removal }],
  getUserHistory: [{ send: ({ username }) => ({ params: { username } }) }],
  searchUsers: [{}],
  // Of somebody who may be sanctioned: the callers are moderators themselves.
  warnUser: [{ send: createStranger({}) }],
  suspendUser: [{ send: createStranger({ days: 3 }) }],
  unsuspendUser: [{ send: createStranger({}, 'suspended_until') }],
  banUser: [{ send: createStranger({}) }],
  unbanUser: [{ send: createStranger({}, 'banned_at') }],
  verifyUser: [{ send: createStranger() }],
  unverifyUser: [{ send: createStranger() }],
  promoteUser: [{ send: createStranger() }],
  demoteUser: [{ send: createStranger() }],
  listAuditLog: [{}],
  exportAuditLog: [{}],
  listContentRules: [{}],
  createContentRule: [{ send: () => ({ body: { kind: 'word', pattern: unused(), effect: 'hold' } }) }],
  updateContentRule: [{ send: async () => ({ ...byId(await aRule()), body: { effect: 'refuse' } }) }],
  deleteContentRule: [{ send: async () => byId(await aRule()) }],
  previewRule: [{ send: () => ({ body: { kind: 'word', pattern: unused() } }) }],
  getStatistics: [{}],
  getModerationCounts: [{}],
  listAppeals: [{}],
  decideAppeal: [
    {
      send: async (owner) => {
        const decision_id = await ownWarning(owner)
        const [row] = await site.db<[{ id: number }]>`
          insert into appeals (decision_id, user_id, text) values (${decision_id}, ${owner.id}, 'I did not')
          returning id`
        return { ...byId(row.id), body: { decision: 'reject' } }
      },
      own: 'cannot-review-own-decision',
      others: 'let in',
    },
  ],
}

/** What follows from the contract alone: the refusal, or null where the call is let in. */
function expectedRefusal(endpoint: Endpoint, kind: CallerKind): ErrorName | null {
  const { auth: access, requiresReauth: confirmed } = endpoint
  if (access === 'anyone') return null
  if (kind === 'visitor') return access === 'viewer' ? null : 'unauthenticated'
  if ((rejectedKinds as readonly string[]).includes(kind)) return 'invalid-token'
  const scope = scopeByKind[kind]
  if (scope !== undefined && scope !== requiredScope(endpoint)) return 'insufficient-scope'
  if (access === 'moderator' && /user|demoted/.test(kind)) return 'forbidden'
  if (kind === 'suspended user' && isForbiddenToSuspended(endpoint)) return 'suspended'
  return confirmed && kind === 'user not confirmed lately' ? 'reauthentication-required' : null
}

function expectedOutcome(endpoint: Endpoint, each: Case, kind: CallerKind): Outcome {
  const refusal = expectedRefusal(endpoint, kind)
  if (refusal !== null) return refusal
  const own = each.own ?? 'let in'
  if (endpoint.auth === 'anyone' || (ownerKinds as readonly string[]).includes(kind)) return own
  const theirs = each.others ?? own
  if (kind === 'visitor') return each.visitor ?? theirs
  return kind === 'another moderator' ? (each.moderators ?? theirs) : theirs
}

const contract = await loadEndpoints()
const everybody: CallerKind[] = [...ownerKinds, ...otherKinds, ...rejectedKinds]

beforeAll(async () => {
  const outbound = {
    get: () => Promise.reject(new OutboundError('unreachable')),
    close: async () => {},
  }
  site = await bootApp({ outbound })
  callers = createCallers(site)
})
afterAll(() => site.close())

async function request(endpoint: Endpoint, bearer: string | null, { params, query, body }: Parts = {}) {
  const reply = await site.app.inject({
    method: endpoint.method,
    url: endpointUrl(endpoint, params, query),
    headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { payload: body as object }),
    payloadAsStream: true,
  })
  const { statusCode } = reply
  // Some never end: that they began is the answer.
  if (String(reply.headers['content-type']).startsWith('text/event-stream')) {
    reply.stream().destroy()
    return { status: statusCode, body: null }
  }
  const text = (await reply.stream().toArray()).join('')
  const isJson = String(reply.headers['content-type']).startsWith('application/json')
  return { status: statusCode, body: isJson ? JSON.parse(text) : null }
}

/** What a request of the owner's made; its id. */
async function begun(owner: TestUser, url: string, payload?: object): Promise<number> {
  const headers = { authorization: `Bearer ${owner.access}` }
  return (await site.app.inject({ method: 'POST', url, headers, ...(payload && { payload }) })).json().id
}

/** Whether who reads the API's description is told that a call may answer so. */
function isDescribed({ method, path }: Endpoint, status: number, code: string): boolean {
  const { paths = {} } = site.app.swagger() as unknown as OpenApi
  const call = paths[`/api${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()]
  const reply = call?.responses[status]
  if (code === 'let in') return reply !== undefined
  return reply?.content?.['application/json']?.schema.properties?.code?.enum?.includes(code) === true
}
interface OpenApi {
  paths?: Record<string, Record<string, { responses: Record<string, ApiReply> }>>
}
interface ApiReply {
  content?: Record<string, { schema: { properties?: { code?: { enum?: string[] } } } }>
}

/** Returns the code of an error whose status is the code's own, else the status. */
function readOutcome(endpoint: Endpoint, { status, body }: { status: number; body: { code?: string } }) {
  if (status === endpoint.status) return 'let in'
  const code = body?.code ?? ''
  return errors[code as ErrorName]?.[0] === status ? code : String(status)
}

/** A refused call changes nothing, so that all of them can be made by the same caller of each kind. */
const sharedCallers = new Map<CallerKind, ReturnType<Callers['caller']>>()
function getSharedCaller(kind: CallerKind): ReturnType<Callers['caller']> {
  const known = sharedCallers.get(kind) ?? callers.caller(kind)
  sharedCallers.set(kind, known)
  return known
}

describe('the table', () => {
  test('has every call of the contract, and no other', () => {
    const names = contract.map(([name]) => name)
    expect(
      names.filter((name) => cases[name] === undefined),
      'calls without a row in `cases` of server/rights.test.ts: add who may',
    ).toEqual([])
    expect(Object.keys(cases).filter((name) => !names.includes(name))).toEqual([])
    const calls = contract.map(([, { method, path }]) => `${method} ${path}`)
    expect(new Set(calls).size).toBe(calls.length)
  })

  test('has calls that are mounted, all of them', () => {
    const isMounted = ({ method, path }: Endpoint) =>
      site.app.hasRoute({ method, url: `/api${path.slice(0, -1)}` })
    expect(contract.filter(([, each]) => !isMounted(each)).map(([name]) => name)).toEqual([])
  })

  test('has every route below /api, but those that only describe it', () => {
    const described = contract.map(([, { method, path }]) => `${method} /api${path.slice(0, -1)}`)
    const known = [...described, 'GET /api/openapi.json', 'OPTIONS /api/*']
    const strangers = listRoutes(site.app).filter(
      (route) => !known.includes(route) && !/^GET \/api\/docs\b|^\w+ \/api\/\*$/.test(route),
    )
    expect(strangers).toEqual([])
  })

  test('is written down for people', async () => {
    await expect(page()).toMatchFileSnapshot('../docs/rights.md')
  })
})

const rows = contract.flatMap(([name, endpoint]) =>
  (cases[name] ?? []).map(
    (each) => [`${name}${each.of === undefined ? '' : `, ${each.of}`}`, endpoint, each] as const,
  ),
)

describe('every call answers every caller as the table says', () => {
  test.each(rows)('%s', async (_, endpoint, each) => {
    const wrong: string[] = []
    // Callers that the contract refuses whatever they ask for all ask for the same.
    const refusedParts = await each.send?.(await callers.person())
    await Promise.all(
      everybody.map(async (kind) => {
        const isRefused = expectedRefusal(endpoint, kind) !== null
        const isShared = isRefused || (rejectedKinds as readonly string[]).includes(kind)
        const { person, bearer } = await (isShared ? getSharedCaller(kind) : callers.caller(kind))
        const isOwner = (ownerKinds as readonly string[]).includes(kind)
        // Made by the owner as they are; a demoted moderator and a token's owner may still do all that this needs.
        const parts = isRefused ? refusedParts : await each.send?.(isOwner ? person : await callers.person())
        const reply = await request(endpoint, bearer, parts)
        const got = readOutcome(endpoint, reply)
        const expected = expectedOutcome(endpoint, each, kind)
        if (!isDescribed(endpoint, reply.status, got)) {
          wrong.push(
            `${endpoint.method} ${endpoint.path} by ${kind}: ${reply.status} ${got} is not in OpenAPI`,
          )
        }
        if (got !== expected) {
          const said = JSON.stringify(reply.body)?.slice(0, 200)
          wrong.push(
            `${endpoint.method} ${endpoint.path} by ${kind}: expected ${expected}, got ${got} ${said}`,
          )
        }
      }),
    )
    expect(wrong).toEqual([])
  })
})

/** What looks and sends another number of statements than one beside who asks, and why; null: not counted. */
const otherStatements: Record<string, readonly [number | null, string]> = {
  'getComment, on a hidden video': [2, 'a reply, and then the comment that it answers'],
  getSignInMethods: [0, 'settings alone'],
  'listSimilar, a public one': [2, 'the planner has to know the words of what it is like'],
  'listSimilar, a private one': [2, 'as above'],
  'listSimilar, a hidden one': [2, 'as above'],
  getCase: [3, 'a case, its reports, and what was decided before'],
  listAppeals: [2, 'appeals, and the decisions that they are about'],
  getUserHistory: [2, 'who it is, and what was decided about them'],
  exportAuditLog: [null, 'a thousand lines each, until there are none'],
  streamNotifications: [null, 'goes on, and asks again'],
  downloadExport: [2, 'whose it is, and then each piece of it'],
}

/** What streams that were opened before ask: about what `send` made, and now and then whether they may go on. */
const ofStreams = /follower_id = any|where s\.id = any/

describe('what looks is one statement, beside who asks', () => {
  const looking = rows.filter(([, { method }, { own = 'let in' }]) => method === 'GET' && own === 'let in')
  test.each(looking)('%s', async (name, endpoint, each) => {
    const { person, bearer } = await callers.caller(endpoint.auth === 'moderator' ? 'moderator' : 'user')
    const parts = await each.send?.(person)
    site.statements.length = 0
    const { status } = await request(endpoint, bearer, parts)
    const sent = site.statements.filter((text) => !ofStreams.test(text))
    expect(status).toBe(endpoint.status)
    const [expected] = otherStatements[name] ?? [1]
    if (expected === null) return
    expect(sent, sent.join('\n---\n')).toHaveLength(expected + (endpoint.auth === 'anyone' ? 0 : 1))
  })

  test('and the others are named', () => {
    const names = rows.map(([name]) => name)
    expect(Object.keys(otherStatements).filter((name) => !names.includes(name))).toEqual([])
  })
})

describe('rights are those of now', () => {
  const moderate = Object.fromEntries(contract).listReports as Endpoint

  test('who was made a moderator is one at the next request, who was unmade is none', async () => {
    const { id, access } = await callers.person()
    const statusNow = async () => (await request(moderate, access)).status
    expect(await statusNow()).toBe(403)
    await site.db`update users set is_moderator = true where id = ${id}`
    expect(await statusNow()).toBe(200)
    await site.db`update users set is_moderator = false where id = ${id}`
    expect(await statusNow()).toBe(403)
  })

  test('what a token says of rights gives none, and one that is not signed is none', async () => {
    const { id, session_id } = await callers.person()
    const claims = {
      token_type: 'access',
      sid: String(session_id),
      is_moderator: true,
      roles: ['moderator'],
      scopes: ['moderate'],
    }
    const { key, issuer, audience, now } = tokenOptions(site.serverKeys['access-token'])
    const signed = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(String(id))
      .setIssuedAt(now)
      .setExpirationTime(now + 60)
      .sign(key)
    const looking = Object.fromEntries(contract).listSessions as Endpoint
    expect(readOutcome(looking, await request(looking, signed))).toBe('let in')
    expect(readOutcome(moderate, await request(moderate, signed))).toBe('forbidden')
    const [, payload = '', signature = ''] = signed.split('.')
    for (const alg of ['none', 'None', 'HS512']) {
      const header = Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url')
      for (const end of ['', signature]) {
        const altered = `${header}.${payload}.${end}`
        expect(readOutcome(looking, await request(looking, altered))).toBe('invalid-token')
      }
    }
  })

  test('who has to confirm that it is them is told how they can', async () => {
    const endpoint = Object.fromEntries(contract).beginAddingPasskey as Endpoint
    const { person, bearer } = await callers.caller('user not confirmed lately')
    const ask = async () => (await request(endpoint, bearer)).body
    const error = { detail: errors['reauthentication-required'][1], code: 'reauthentication-required' }
    expect(await ask()).toEqual({ ...error, confirm: ['password'] })
    await ownPasskey(person)
    expect(await ask()).toEqual({ ...error, confirm: ['password', 'passkey'] })
    await site.db`update users set password_hash = null where id = ${person.id}`
    expect(await ask()).toEqual({ ...error, confirm: ['passkey'] })
  })
})

const corpus = openCorpus('security/jwt')
describe.skipIf(!corpus.exists)('tokens that other people forged', () => {
  const tokens = [
    ...corpus.rows<{ name: string; token: string }>('own.jsonl').map(({ name, token }) => [name, token]),
    ...corpus.rows<{ tcId: number; jws: string }>('wycheproof_jws.jsonl').map(({ tcId, jws }) => [tcId, jws]),
  ] as [string, string][]

  test('let nobody in, neither as a user nor as a moderator', async () => {
    const calls = [
      Object.fromEntries(contract).listSessions,
      Object.fromEntries(contract).listReports,
    ] as Endpoint[]
    const wrong: string[] = []
    for (const [name, token] of tokens) {
      for (const endpoint of calls) {
        const got = readOutcome(endpoint, await request(endpoint, token))
        if (got !== 'invalid-token') wrong.push(`${endpoint.path} by ${name}: got ${got}`)
      }
    }
    expect(tokens.length).toBeGreaterThan(300)
    expect(wrong).toEqual([])
  })
})

/** `GET /api/videos`: every route of an app, from the tree that it prints. */
function listRoutes(app: FastifyInstance): string[] {
  const stack: string[] = []
  return app
    .printRoutes()
    .split('\n')
    .flatMap((line) => {
      const at = line.search(/[├└]/)
      if (at < 0) return []
      const [, part = '', methods = ''] = /^.{4}(.*?)(?: \(([A-Z, ]+)\))?$/.exec(line.slice(at)) ?? []
      stack.splice(at / 4, Number.POSITIVE_INFINITY, part)
      const url = stack.join('')
      return methods
        .split(', ')
        .filter((method) => method !== '' && method !== 'HEAD' && url.startsWith('/api'))
        .map((method) => `${method} ${url.replace(/(?<=.)\/$/, '')}`)
    })
}

function page(): string {
  const cell = (endpoint: Endpoint, each: Case, kind: CallerKind) => {
    if (kind.startsWith('another') && each.others === undefined) return ''
    const outcome = expectedOutcome(endpoint, each, kind)
    if (outcome === 'let in') return 'yes'
    const [status] = errors[outcome]
    const isAllowed = outcome === each.own && status !== 401 && status !== 403
    return `${isAllowed ? 'yes, then ' : ''}${status} ${outcome}`
  }
  const shown = ['visitor', 'user', 'another user', 'moderator', 'another moderator'] as const
  const lines = contract.flatMap(([name, endpoint]) =>
    (cases[name] ?? []).map((each) => [
      `\`${endpoint.method} ${endpoint.path}\``,
      each.of ?? '',
      ...shown.map((kind) => cell(endpoint, each, kind)),
      endpoint.auth === 'anyone'
        ? 'any'
        : requiredScope(endpoint) === 'session'
          ? 'none'
          : requiredScope(endpoint),
      endpoint.requiresReauth ? 'yes' : '',
    ]),
  )
  const head = ['Call', 'Of', ...shown, 'Access token', 'Confirmed']
  const table = [head, head.map(() => '---'), ...lines].map((row) => `| ${row.join(' | ')} |`).join('\n')
  return `# Who may call what

Written by \`server/rights.test.ts\`, which makes each of these calls as each of these people; not by hand.

- **yes**: let in. Else the status and the error by its name in \`contract/protocol/errors.ts\`. Some calls need more than a right
  (a ticket, a code, a sign-in of another site), which they are made without here: **yes, then** what they answer so.
- **user**, **moderator**: about what is their own. **another …**: about what is somebody else's; blank where a call
  names nothing that is anybody's. To a visitor all is somebody else's.
- **Access token**: the scope that a token for scripts needs, else 403 no-scope; \`none\`: only who is signed in may.
- **Confirmed**: only within 15 minutes of having shown who one is, else 403 confirm-needed.
- A token that is forged, expired, of an ended session, or of somebody banned or deleted is 401 bad-token at every call
  that asks who one is. A moderator who was demoted is a user from the next request on.
- Whoever is suspended reads, and changes nothing but their own account: 403 suspended.

${table}
`
}
