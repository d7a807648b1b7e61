/**
 * Makes every call of the contract as every kind of caller, and generates docs/rights.md (`npm test -- server/rights
 * -u`). A new call needs an entry in `cases`.
 */

import { randomBytes } from 'node:crypto'
import { createCollectionLink } from '@reelmark/contract/collection-links.ts'
import { type Endpoint, requiredScope } from '@reelmark/contract/protocol/endpoint.ts'
import { type ErrorName, errors } from '@reelmark/contract/protocol/errors.ts'
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointUrl } from '../contract/protocol/call.ts'
import { tokenOptions } from './core/auth/tokens.ts'
import { isForbiddenToSuspended } from './core/http/authorize.ts'
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

/** The outcome of a call: allowed (the success status of the endpoint), or the name of an error. */
type Outcome = 'allowed' | ErrorName

interface Case {
  /** Distinguishes several cases of one call. */
  variant?: string
  /** Returns a valid request about content of the owner. */
  send?: (owner: TestUser) => Parts | Promise<Parts>
  /** The outcome for the owner, if a right is not enough (a valid ticket is also needed, for example). */
  own?: Outcome
  /** The outcome for other users; omitted if the request concerns no content, so that it is the same as the owner's. */
  others?: Outcome
  /** The outcome for moderators who are not the owner, if it differs. */
  moderators?: Outcome
  /** The outcome for visitors, if it differs from that of other users. */
  visitor?: Outcome
}
interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

let site: TestApp
let callers: Callers
const ticket = 'an invalid ticket'
const credential = { id: 'x', rawId: 'x', type: 'public-key', response: {} }
const randomName = () => randomBytes(6).toString('hex')
const newPassword = { new_password1: 'another walk by the sea', new_password2: 'another walk by the sea' }
const byId = (id: number) => ({ params: { id } })

const ownSmartCollection = (access: 'public' | 'private') => async (owner: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    insert into smart_collections (user_id, name, access, query, is_personal)
    values (${owner.id}, 'Sea', ${access}, '{"scope": "own", "q": "sea"}', false) returning id`
  return byId(row.id)
}
const ownSession = async (owner: TestUser) => byId(await callers.session(owner))
const ownWebhook = async ({ id }: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    insert into webhooks (user_id, url, events, secret)
    values (${id}, 'https://hooks.example.org/', '{bookmark.created}', '') returning id`
  return byId(row.id)
}
const ownSubscription = async ({ id }: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    insert into subscriptions (user_id, url, host) values (${id}, 'https://films.example.org/feed', 'films.example.org')
    returning id`
  return byId(row.id)
}
const ownDelivery = async (owner: TestUser) => {
  const { params } = await ownWebhook(owner)
  const [row] = await site.db<[{ id: number }]>`
    insert into webhook_deliveries (webhook_id, event) values (${params.id}, 'webhook.test') returning id`
  return { params: { ...params, delivery: row.id } }
}
const ownAccessToken = async (owner: TestUser) => byId((await callers.accessToken(owner, ['read'])).id)
const ownPasskey = async ({ id }: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    insert into passkeys (user_id, credential_id, public_key, name)
    values (${id}, ${randomBytes(16)}, ${randomBytes(16)}, 'a key') returning id`
  return byId(row.id)
}
const ownIdentity = async ({ id }: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    insert into identities (user_id, issuer, subject) values (${id}, 'https://id.example.org', ${randomName()})
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
const ownImport = async (owner: TestUser) =>
  byId(await createByRequest(owner, '/api/transfer/imports/', emptyExport))
const uploadedFile = { name: 'export.json', size: 9, modified_at: '2026-01-01T00:00:00Z' }
const insertUpload = async (owner: TestUser, isComplete: boolean) => {
  const content = Buffer.from(JSON.stringify(emptyExport))
  await site.db`delete from uploads where user_id = ${owner.id}`
  const [row] = await site.db<[{ id: number }]>`
    insert into uploads (user_id, name, size, modified_at, received)
    values (${owner.id}, 'export.json', ${content.length}, now(), ${isComplete ? content.length : 0}) returning id`
  if (isComplete) {
    await site.db`insert into upload_chunks (upload_id, number, data) values (${row.id}, 0, ${content})`
  }
  return byId(row.id)
}
const ownUpload = (owner: TestUser) => insertUpload(owner, false)
const completeUpload = (owner: TestUser) => insertUpload(owner, true)
const ownChunk = async (owner: TestUser) => ({
  ...(await ownUpload(owner)),
  query: { offset: 0 },
  body: emptyExport,
})
/** An import in review of a CSV file with two columns. */
const ownTable = async (owner: TestUser) => {
  const headers = { authorization: `Bearer ${owner.access}`, 'content-type': 'application/octet-stream' }
  const payload = 'title,link\nA,https://vimeo.com/1\n'
  const reply = await site.app.inject({ method: 'POST', url: '/api/transfer/imports/', headers, payload })
  return byId(reply.json().id)
}
const finishedImport = async (owner: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    insert into imports (user_id, state, finished_at, outcomes, reported)
    values (${owner.id}, 'done', now(), '{"new": 1}', 1) returning id`
  return byId(row.id)
}
const ownBookmark = (access: 'public' | 'private') => async (owner: TestUser) =>
  byId((await saveFilm(site, owner, randomName(), { bookmark: { access } })).id)
const withNote =
  (send: (owner: TestUser) => Promise<Parts>, access: 'public' | 'private') => async (owner: TestUser) => ({
    ...(await send(owner)),
    body: { seconds: 7, text: 'Here', access },
  })
/** Creates a public note of the owner on their public bookmark. */
const ownNote = async (owner: TestUser) => {
  const { params } = await ownBookmark('public')(owner)
  const [note] = await site.db<[{ id: number }]>`
    insert into timed_notes (bookmark_id, user_id, seconds, text, access)
    values (${params.id}, ${owner.id}, 7, 'Here', 'public') returning id`
  return byId(note.id)
}
const hiddenBookmark = async (owner: TestUser) => {
  const { id, video } = await saveFilm(site, owner, randomName())
  await site.db`update videos set status = 'hidden' where id = ${video.id}`
  return byId(id)
}
const ownVideo = (access: 'public' | 'private', body?: object) => async (owner: TestUser) => ({
  ...byId((await saveFilm(site, owner, randomName(), { bookmark: { access } })).video.id),
  ...(body && { body }),
})
/** Creates a comment or reply of the owner on their video, which is hidden on request. */
const ownComment =
  (kind: 'comment' | 'reply', { body, hidden = false }: { body?: object; hidden?: boolean } = {}) =>
  async (owner: TestUser) => {
    const { video } = await saveFilm(site, owner, randomName())
    const [comment] = await site.db<[{ id: number }]>`
      insert into comments (video_id, user_id, content) values (${video.id}, ${owner.id}, 'Hello') returning id`
    const [reply] = await site.db<[{ id: number }]>`
      insert into comments (video_id, user_id, content, parent_id)
      values (${video.id}, ${owner.id}, 'Hello', ${comment.id}) returning id`
    if (hidden) await site.db`update videos set status = 'hidden' where id = ${video.id}`
    return { ...byId((kind === 'comment' ? comment : reply).id), ...(body && { body }) }
  }
const commentBody = { content: 'Something else' }
const hiddenVideo = async (owner: TestUser) => {
  const { video } = await saveFilm(site, owner, randomName())
  await site.db`update videos set status = 'hidden' where id = ${video.id}`
  return byId(video.id)
}
const findReport = async (owner: TestUser, report_type = 'spam') => {
  const { id: bookmark_id, video } = await saveFilm(site, owner, randomName())
  const [row] = await site.db<[{ id: number }]>`
    insert into reports (target_kind, target_id, video_id, bookmark_id, user_id, report_type, did_hide)
    values ('video', ${video.id}, ${video.id}, ${bookmark_id}, ${owner.id}, ${report_type}, false) returning id`
  return { report_id: row.id, video_id: video.id }
}
const ownCase = (body?: object) => async (owner: TestUser) => ({
  params: { kind: 'video', id: (await findReport(owner)).video_id },
  ...(body && { body }),
})
/** Warns the owner and returns the id of the decision. */
const ownWarning = async ({ id }: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    insert into moderation_decisions (action, target_kind, target_id, user_id) values ('warn', 'user', ${id}, ${id})
    returning id`
  return row.id
}
const ownRemoval = async (owner: TestUser) => {
  const { video } = await saveFilm(site, owner, randomName())
  await site.db`update videos set status = 'removed' where id = ${video.id}`
  const [row] = await site.db<[{ id: number }]>`
    insert into moderation_decisions (action, target_kind, target_id, video_id)
    values ('remove', 'video', ${video.id}, ${video.id}) returning id`
  return { ...byId(row.id), body: {} }
}
/** Creates another user, banned or suspended on request. */
const createStranger = (body?: object, sanctionColumn?: 'banned_at' | 'suspended_until') => async () => {
  const { id } = await callers.createUser()
  if (sanctionColumn !== undefined) {
    await site.db`update users set ${site.db(sanctionColumn)} = now() + interval '1 day' where id = ${id}`
  }
  return { ...byId(id), ...(body && { body }) }
}
const withNewTitle = (send: (owner: TestUser) => Promise<Parts>) => async (owner: TestUser) => ({
  ...(await send(owner)),
  body: { title: 'Set right' },
})
const withReport =
  (send: (owner: TestUser) => Promise<{ params: { id: number } }>) => async (owner: TestUser) => ({
    body: { video_id: (await send(owner)).params.id, report_type: 'spam' },
  })
/** A link that a deleted user proposes for a video that the owner's bookmark leads. */
const ownProposal = async (owner: TestUser) => {
  const { params } = await ownVideo('public')(owner)
  const [row] = await site.db<[{ id: number }]>`
    with r as (
      insert into reports (target_kind, target_id, video_id, report_type) values ('video', ${params.id}, ${params.id}, 'replace_link')
      returning id
    ), l as (
      insert into link_replacements (report_id, video_id, source_url, title, facts)
      select id, ${params.id}, 'https://other.example.org/', 'Film', '{}' from r)
    select id from r`
  return byId(row.id)
}
const ownMute = async ({ id }: TestUser) => {
  const [row] = await site.db<[{ id: number }]>`
    insert into mutes (user_id, tag) values (${id}, 'cats') returning id`
  return byId(row.id)
}
const ownCollection = (access: 'public' | 'private') => async (owner: TestUser) =>
  byId((await createDestination(site, owner, access)).collection_id)
const ownChannelIn = (access: 'public' | 'private') => async (owner: TestUser) =>
  byId((await createDestination(site, owner, access)).channel_id)
const ownQueue = (access: 'public' | 'private') => async (owner: TestUser) => {
  const { channel_id } = await createDestination(site, owner, access)
  const { id } = await saveFilm(site, owner, randomName(), { bookmark: { channel_id } })
  return { ...byId(id), query: { channel: channel_id } }
}
const ownTarget = async (owner: TestUser) => ({
  collection: (await createDestination(site, owner)).collection_id,
})
const withTarget = (send: (owner: TestUser) => Promise<Parts>) => async (owner: TestUser) => ({
  ...(await send(owner)),
  body: await ownTarget(owner),
})
function videoCases(): Case[] {
  const savedBy = (access: 'public' | 'private') => async (owner: TestUser) =>
    byId((await saveFilm(site, owner, randomName(), { bookmark: { access } })).video.id)
  return [
    { variant: 'a public video', send: savedBy('public'), others: 'allowed' },
    { variant: 'a video with a private bookmark only', send: savedBy('private'), others: 'not-found' },
  ]
}
const withNewName = (send: (owner: TestUser) => Promise<Parts>) => async (owner: TestUser) => ({
  ...(await send(owner)),
  body: { name: 'Renamed' },
})
type CollectionParts = (access: 'public' | 'private') => (owner: TestUser) => Promise<Parts>
const withShownPrivate =
  (send: CollectionParts): CollectionParts =>
  (access) =>
  async (owner) => ({ ...(await send(access)(owner)), body: { shows_private: true } })
const ownCollectionWithLink: CollectionParts = (access) => async (owner) => {
  const parts = await ownCollection(access)(owner)
  await site.call(createCollectionLink, { ...parts, body: { shows_private: true } }, owner)
  return parts
}
/** Two cases: others get 403 for content they may see, and 404 for other content. */
const casesByAccess = (
  send: (access: 'public' | 'private') => (owner: TestUser) => Promise<Parts>,
): Case[] => [
  { variant: 'public', send: send('public'), others: 'forbidden' },
  { variant: 'private', send: send('private'), others: 'not-found' },
]
const ownChannel = async (owner: TestUser) => ({
  body: {
    video: { source_url: `https://films.example.org/watch/${randomName()}`, title: 'A film' },
    bookmark: { channel_id: (await vaultDestination(site, owner)).channel_id },
  },
})

const emptyExport = {
  format: 'reelmark',
  version: 1,
  exported_at: '2026-01-01T00:00:00Z',
  username: 'someone',
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

/** Creates a content rule. */
async function createRule(): Promise<number> {
  const [row] = await site.db<[{ id: number }]>`
    insert into content_rules (kind, pattern, effect) values ('word', ${randomName()}, 'hold') returning id`
  return row.id
}

const cases: Record<string, Case[]> = {
  // Accounts and sessions
  register: [
    {
      send: () => {
        const username = `u${randomName()}`
        const password = 'a walk in the hills'
        return { body: { username, email: `${username}@example.org`, password, password2: password } }
      },
    },
  ],
  createOwner: [
    {
      send: ({ username, email, password }) => ({
        body: { username, email, password, password2: password, token: ticket },
      }),
      own: 'invalid-setup-link',
    },
  ],
  logIn: [{ send: ({ username, password }) => ({ body: { username, password } }) }],
  refreshTokens: [
    { variant: 'a refresh token', send: ({ refresh }) => ({ body: { refresh } }) },
    {
      variant: 'an access token',
      send: ({ access }) => ({ body: { refresh: access } }),
      own: 'invalid-token',
    },
    {
      variant: 'an access token for scripts',
      send: async (owner) => ({ body: { refresh: (await callers.accessToken(owner, ['write'])).token } }),
      own: 'invalid-token',
    },
  ],
  logOut: [
    { variant: 'a refresh token', send: ({ refresh }) => ({ body: { refresh } }) },
    {
      variant: 'an access token',
      send: ({ access }) => ({ body: { refresh: access } }),
      own: 'invalid-token',
    },
  ],
  requestPasswordReset: [{ send: ({ email }) => ({ body: { email } }) }],
  confirmPasswordReset: [
    {
      send: () => ({ body: { uidb64: 'Nw', token: ticket, ...newPassword } }),
      own: 'invalid-reset-link',
    },
  ],
  changePassword: [{ send: ({ password }) => ({ body: { old_password: password, ...newPassword } }) }],
  listSessions: [{}],
  endSession: [{ send: ownSession, others: 'not-found' }],
  endSessions: [{ send: () => ({ body: { ids: [1] } }) }],
  endOtherSessions: [{}],

  // Second factor
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

  // Identity providers; none is configured
  getSignInMethods: [{}],
  beginOidcLogin: [{ own: 'not-found' }],
  logInWithOidc: [{ send: () => ({ body: { state: 'x', code: 'x' } }), own: 'not-found' }],
  registerWithOidc: [
    { send: () => ({ body: { ticket, username: `u${randomName()}` } }), own: 'ticket-expired' },
  ],
  listIdentities: [{}],
  beginLinkingIdentity: [{ own: 'not-found' }],
  addIdentity: [{ send: () => ({ body: { state: 'x', code: 'x' } }), own: 'not-found' }],
  deleteIdentity: [{ send: ownIdentity, others: 'not-found' }],

  // Personal access tokens
  listAccessTokens: [{}],
  createAccessToken: [
    { send: () => ({ body: { name: 'a script', scopes: ['read'], expires_in_days: null } }) },
  ],
  deleteAccessToken: [{ send: ownAccessToken, others: 'not-found' }],

  // Subscriptions
  listSubscriptions: [{}],
  createSubscription: [
    {
      send: async (owner) => ({
        body: { url: 'https://films.example.org/feed', ...(await vaultDestination(site, owner)) },
      }),
      others: 'invalid',
    },
  ],
  updateSubscription: [
    {
      send: async (owner) => ({ ...(await ownSubscription(owner)), body: { is_paused: true } }),
      others: 'not-found',
    },
  ],
  deleteSubscription: [{ send: ownSubscription, others: 'not-found' }],

  // Webhooks
  listWebhooks: [{}],
  createWebhook: [
    { send: () => ({ body: { url: 'https://hooks.example.org/', events: ['bookmark.created'] } }) },
  ],
  updateWebhook: [
    {
      send: async (owner) => ({ ...(await ownWebhook(owner)), body: { is_enabled: false } }),
      others: 'not-found',
    },
  ],
  deleteWebhook: [{ send: ownWebhook, others: 'not-found' }],
  testWebhook: [{ send: ownWebhook, others: 'not-found' }],
  listWebhookDeliveries: [
    { send: async (owner) => ({ ...(await ownWebhook(owner)), query: {} }), others: 'not-found' },
  ],
  resendWebhookDelivery: [{ send: ownDelivery, others: 'not-found' }],
  // Connected programs
  createConnectionCode: [
    {
      send: () => ({
        body: {
          client_id: 'a-script',
          scopes: ['read'],
          code_challenge: 'x'.repeat(43),
          code_challenge_method: 'S256',
          expires_in_days: 30,
        },
      }),
    },
  ],
  exchangeConnectionCode: [
    {
      send: () => ({
        body: {
          grant_type: 'authorization_code',
          code: ticket,
          code_verifier: 'x'.repeat(43),
          client_id: 'a-script',
        },
      }),
      own: 'invalid-connection-code',
    },
  ],
  getConnection: [{}],
  endConnection: [{}],

  // The account
  getAccountSecurity: [{}],
  reauthenticate: [{ send: ({ password }) => ({ body: { password } }) }],
  changeUsername: [{ send: ({ password }) => ({ body: { username: randomName(), password } }) }],
  changeEmail: [{ send: () => ({ body: { email: `${randomName()}@example.org` } }) }],
  cancelEmailChange: [{}],
  resendEmailConfirmation: [{ own: 'email-already-confirmed' }],
  readEmailConfirmation: [{ send: () => ({ body: { token: ticket } }), own: 'invalid-email-link' }],
  confirmEmail: [{ send: () => ({ body: { token: ticket } }), own: 'invalid-email-link' }],
  getSignInReview: [{}],
  completeSignInReview: [
    {
      send: () => ({ body: { remove_authenticator: false, remove_passkeys: [], remove_identities: [] } }),
      own: 'not-found',
    },
  ],
  deleteAccount: [{ send: ({ password }) => ({ body: { password } }) }],

  // Export and import
  startExport: [{}],
  listExports: [{}],
  getExport: [{ send: ownExport, others: 'not-found' }],
  downloadExport: [{ send: ownExport, others: 'not-found' }],
  uploadImport: [{ send: () => ({ body: emptyExport }) }],
  startUpload: [{ send: () => ({ body: uploadedFile }) }],
  listUploads: [{}],
  addUploadChunk: [{ send: ownChunk, others: 'not-found' }],
  importUpload: [{ send: completeUpload, others: 'not-found' }],
  deleteUpload: [{ send: ownUpload, others: 'not-found' }],
  importFromUrl: [{ send: () => ({ body: { url: 'https://films.example.org/feed' } }) }],
  listImports: [{}],
  getImport: [{ send: ownImport, others: 'not-found' }],
  updateImport: [
    {
      send: async (owner) => ({ ...(await ownTable(owner)), body: { mapping: { url: 1 } } }),
      others: 'not-found',
    },
  ],
  startImport: [{ send: async (owner) => ({ ...(await ownImport(owner)), body: {} }), others: 'not-found' }],
  discardImport: [{ send: ownImport, others: 'not-found' }],
  undoImport: [{ send: finishedImport, others: 'not-found' }],
  listImportRows: [{ send: finishedImport, others: 'not-found' }],
  downloadImportReport: [{ send: finishedImport, others: 'not-found' }],

  // Profiles
  getProfile: [{ send: ({ username }) => ({ params: { username } }), others: 'allowed' }],
  setPins: [{ send: () => ({ body: { pins: [] } }) }],
  updateProfile: [
    { send: ({ username }) => ({ params: { username }, body: { bio: 'Hello' } }), others: 'forbidden' },
  ],

  // Bookmarks, lists, collections and channels
  getBookmark: [
    { variant: 'public', send: ownBookmark('public'), others: 'allowed' },
    { variant: 'private', send: ownBookmark('private'), others: 'not-found' },
    { variant: 'hidden', send: hiddenBookmark, others: 'not-found', moderators: 'allowed' },
  ],
  saveBookmark: [{ send: ownChannel, others: 'invalid' }],
  saveBookmarkManually: [{ send: ownChannel, others: 'invalid' }],
  // A link that is refused before anything is requested.
  previewThumbnail: [{ send: () => ({ body: { url: 'ftp://films.example.org/1.png' } }), own: 'invalid' }],
  extractMetadata: [{ send: () => ({ body: { url: 'https://youtu.be/aqz-KE-bpKQ' } }) }],
  listVideos: [
    { variant: 'Explore' },
    {
      variant: 'of followed users',
      send: () => ({ query: { sort: 'following' } }),
      visitor: 'unauthenticated',
    },
  ],
  listCollections: [
    { variant: 'of a user', send: ({ username }) => ({ query: { user: username } }), others: 'allowed' },
    { variant: 'of the viewer', visitor: 'unauthenticated' },
  ],
  listChannels: [
    { variant: 'a public collection', send: ownCollection('public'), others: 'allowed' },
    { variant: 'a private collection', send: ownCollection('private'), others: 'not-found' },
  ],
  updateBookmark: casesByAccess((access) => async (owner) => ({
    ...(await ownBookmark(access)(owner)),
    body: { title: 'Renamed' },
  })),
  // Of a video that is not gone.
  replaceLink: [
    {
      send: async (owner) => ({
        ...(await ownBookmark('public')(owner)),
        body: { source_url: 'https://youtu.be/aqz-KE-bpKQ' },
      }),
      own: 'invalid',
      others: 'not-found',
    },
  ],
  proposeLink: [
    {
      send: async (owner) => ({
        ...(await ownBookmark('public')(owner)),
        body: { source_url: 'https://youtu.be/aqz-KE-bpKQ' },
      }),
      own: 'invalid',
      others: 'not-found',
    },
  ],
  listLinkProposals: [{ send: ownBookmark('public'), others: 'not-found' }],
  // Of another user, for a video that is gone and that the owner's bookmark leads.
  decideLinkProposal: [
    {
      send: async (owner) => ({ ...(await ownProposal(owner)), body: { agrees: false } }),
      others: 'not-found',
    },
  ],
  // Whose link was not replaced.
  declineLink: [{ send: ownBookmark('public'), own: 'not-found', others: 'not-found' }],
  // Without a file.
  uploadThumbnail: casesByAccess((access) => async (owner) => ({
    ...(await ownBookmark(access)(owner)),
    body: {},
  })).map((testCase) => ({ ...testCase, own: 'invalid' as const })),
  trashBookmark: casesByAccess(ownBookmark),
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
  reorderBookmark: [
    {
      send: async (owner) => ({
        ...(await ownBookmark('public')(owner)),
        body: { collection: (await vaultDestination(site, owner)).collection_id, after: null },
      }),
      others: 'not-found',
    },
  ],
  listTrash: [{}],
  emptyTrash: [{}],
  // Bookmarks that do not belong to the viewer are reported as not found in the response.
  bulkUpdateBookmarks: [
    {
      send: async (owner) => {
        const { params } = await ownBookmark('public')(owner)
        return { body: { ids: [params.id], action: 'trash' } }
      },
      others: 'allowed',
    },
  ],
  undoBookmarkChanges: [
    {
      send: async (owner) => {
        const { params } = await ownBookmark('public')(owner)
        const before = { id: params.id, ...(await vaultDestination(site, owner)), access: 'private' as const }
        return { body: { bookmarks: [before] } }
      },
      others: 'allowed',
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
    { variant: 'private', send: withTarget(ownCollection('private')), others: 'not-found' },
    {
      variant: 'into another user’s collection',
      send: withTarget(ownCollection('public')),
      others: 'invalid',
    },
  ],
  collectChannel: [
    {
      variant: 'a channel in a private collection',
      send: withTarget(ownChannelIn('private')),
      others: 'not-found',
    },
    {
      variant: 'into another user’s collection',
      send: withTarget(ownChannelIn('public')),
      others: 'invalid',
    },
  ],
  findOwnBookmarksByUrl: [{ send: () => ({ query: { url: 'https://youtu.be/aqz-KE-bpKQ' } }) }],
  toggleWatchLater: videoCases(),
  markWatched: videoCases(),
  recordEnd: videoCases(),
  savePosition: videoCases().map(({ send, ...rest }) => ({
    ...rest,
    send: async (owner: TestUser) => ({ ...(await send?.(owner)), body: { seconds: 90 } }),
  })),
  // Also for a video that the user may not see.
  getPosition: [{ send: async (owner) => byId((await saveFilm(site, owner, randomName())).video.id) }],
  listHistory: [{}],
  getHome: [{ send: () => ({ query: {} }) }],
  // Also for a video without a mark.
  clearWatched: [{}],
  unmarkWatched: [{ send: async (owner) => byId((await saveFilm(site, owner, randomName())).video.id) }],
  listSimilar: [
    { variant: 'public', send: ownBookmark('public'), others: 'allowed' },
    { variant: 'private', send: ownBookmark('private'), others: 'not-found' },
    { variant: 'hidden', send: hiddenBookmark, others: 'not-found', moderators: 'allowed' },
  ],
  listOtherSources: [
    { variant: 'public', send: ownBookmark('public'), others: 'allowed' },
    { variant: 'private', send: ownBookmark('private'), others: 'not-found' },
    { variant: 'hidden', send: hiddenBookmark, others: 'not-found', moderators: 'allowed' },
  ],
  getPlayQueue: [
    { variant: 'a public channel', send: ownQueue('public'), others: 'allowed' },
    { variant: 'a channel in a private collection', send: ownQueue('private'), others: 'not-found' },
  ],
  getPlayStart: [{}],
  listOwnNotes: [
    { variant: 'public', send: ownBookmark('public'), others: 'allowed' },
    { variant: 'private', send: ownBookmark('private'), others: 'not-found' },
  ],
  createNote: [
    {
      variant: 'a private note on a public bookmark',
      send: withNote(ownBookmark('public'), 'private'),
      others: 'allowed',
    },
    { variant: 'a public note', send: withNote(ownBookmark('public'), 'public'), others: 'invalid' },
    { variant: 'a private bookmark', send: withNote(ownBookmark('private'), 'private'), others: 'not-found' },
  ],
  updateNote: [
    {
      send: async (owner) => ({ ...(await ownNote(owner)), body: { text: 'Something else' } }),
      others: 'not-found',
    },
  ],
  deleteNote: [{ send: ownNote, others: 'not-found' }],
  getCollection: [
    { variant: 'public', send: ownCollection('public'), others: 'allowed' },
    { variant: 'private', send: ownCollection('private'), others: 'not-found' },
  ],
  listOwnTags: [{}],
  changeTags: [
    {
      send: async (owner) => {
        const tag = randomName()
        await saveFilm(site, owner, randomName(), { video: { tags: [tag] } })
        return { body: { tags: [tag], replacement: null } }
      },
      others: 'invalid',
    },
  ],
  listTagChanges: [{}],
  undoTagChange: [
    {
      send: async ({ id }) => {
        const [change] = await site.db<[{ id: number }]>`
          insert into tag_changes (user_id, tags, state, bookmarks_count) values (${id}, '{x}', 'done', 1) returning id`
        return byId(change.id)
      },
      others: 'not-found',
    },
  ],
  listSmartCollections: [{ send: () => ({}), visitor: 'unauthenticated' }],
  createSmartCollection: [{ send: () => ({ body: { name: 'Sea', query: { scope: 'own', q: 'sea' } } }) }],
  getSmartCollection: [
    { variant: 'public', send: ownSmartCollection('public'), others: 'allowed' },
    { variant: 'private', send: ownSmartCollection('private'), others: 'not-found' },
  ],
  updateSmartCollection: casesByAccess((access) => withNewName(ownSmartCollection(access))),
  deleteSmartCollection: casesByAccess(ownSmartCollection),
  restoreSmartCollection: [
    {
      send: async (owner) => {
        const { params } = await ownSmartCollection('public')(owner)
        await site.db`update smart_collections set deleted_at = now() where id = ${params.id}`
        return { params }
      },
      others: 'not-found',
    },
  ],
  listTrashedSmartCollections: [{}],
  createCollection: [{ send: () => ({ body: { name: 'Films' } }) }],
  updateCollection: casesByAccess((access) => withNewName(ownCollection(access))),
  deleteCollection: casesByAccess(ownCollection),
  // Also 404 for public collections of others: only their owner reads links.
  getCollectionLink: casesByAccess(ownCollection).map((entry) => ({ ...entry, others: 'not-found' })),
  createCollectionLink: casesByAccess(withShownPrivate(ownCollection)),
  updateCollectionLink: casesByAccess(withShownPrivate(ownCollectionWithLink)),
  deleteCollectionLink: casesByAccess(ownCollectionWithLink),
  getUnlistedCollection: [{ send: () => ({ params: { token: 'unknown' } }), own: 'not-found' }],
  getUnlistedBookmark: [{ send: () => ({ params: { token: 'unknown', id: 1 } }), own: 'not-found' }],
  reorderCollections: [
    {
      send: async (owner) => ({ body: { ids: [(await ownCollection('public')(owner)).params.id] } }),
      others: 'invalid',
    },
  ],
  createChannel: casesByAccess((access) => withNewName(ownCollection(access))),
  reorderChannels: casesByAccess((access) => async (owner) => {
    const { collection_id, channel_id } = await createDestination(site, owner, access)
    return { ...byId(collection_id), body: { ids: [channel_id] } }
  }),
  getChannel: [
    { variant: 'a channel in a public collection', send: ownChannelIn('public'), others: 'allowed' },
    { variant: 'a channel in a private collection', send: ownChannelIn('private'), others: 'not-found' },
  ],
  updateChannel: casesByAccess((access) => withNewName(ownChannelIn(access))),
  deleteChannel: casesByAccess(ownChannelIn),
  listTags: [{}],
  findVideoByLink: [{ send: () => ({ query: { url: 'https://youtu.be/aqz-KE-bpKQ' } }) }],
  getSuggestions: [{ send: () => ({ query: { q: 'a' } }) }],
  suggestMentions: [{ send: () => ({ query: { q: 'ab' } }) }],
  suggestUsers: [{ send: () => ({ query: { tags: 'ab, cd' } }) }],
  searchCollections: [{ send: () => ({ query: { q: 'a' } }) }],
  searchProfiles: [{ send: () => ({ query: { q: 'a' } }) }],

  // Comments
  listComments: [
    { variant: 'a public video', send: ownVideo('public'), others: 'allowed' },
    { variant: 'a video with a private bookmark only', send: ownVideo('private'), others: 'not-found' },
  ],
  createComment: [
    { variant: 'a public video', send: ownVideo('public', commentBody), others: 'allowed' },
    {
      variant: 'a video with a private bookmark only',
      send: ownVideo('private', commentBody),
      own: 'forbidden',
      others: 'not-found',
    },
  ],
  getComment: [
    { variant: 'on a public video', send: ownComment('comment'), others: 'allowed' },
    {
      variant: 'on a hidden video',
      send: ownComment('reply', { hidden: true }),
      others: 'not-found',
      moderators: 'allowed',
    },
  ],
  editComment: [{ send: ownComment('comment', { body: commentBody }), others: 'forbidden' }],
  deleteComment: [{ send: ownComment('comment'), others: 'forbidden' }],
  listReplies: [
    { variant: 'on a public video', send: ownComment('comment'), others: 'allowed' },
    {
      variant: 'on a hidden video',
      send: ownComment('comment', { hidden: true }),
      others: 'not-found',
      moderators: 'allowed',
    },
  ],
  createReply: [{ send: ownComment('comment', { body: commentBody }), others: 'allowed' }],
  editReply: [{ send: ownComment('reply', { body: commentBody }), others: 'forbidden' }],
  deleteReply: [{ send: ownComment('reply'), others: 'forbidden' }],

  // Likes, follows, blocks and mutes
  getLikeStatus: [
    { variant: 'a public video', send: ownVideo('public'), others: 'allowed' },
    { variant: 'private', send: ownVideo('private'), others: 'not-found' },
    { variant: 'hidden', send: hiddenVideo, others: 'not-found', moderators: 'allowed' },
  ],
  toggleLike: [
    { variant: 'a public video', send: ownVideo('public'), others: 'allowed' },
    {
      variant: 'a video with a private bookmark only',
      send: ownVideo('private'),
      own: 'forbidden',
      others: 'not-found',
    },
    { variant: 'hidden', send: hiddenVideo, others: 'not-found', moderators: 'allowed' },
  ],
  listCollectors: [
    { variant: 'a public video', send: ownVideo('public'), others: 'allowed' },
    { variant: 'private', send: ownVideo('private'), others: 'not-found' },
    { variant: 'hidden', send: hiddenVideo, others: 'not-found', moderators: 'allowed' },
  ],
  getFollowStatus: [{ send: ({ id }) => byId(id), others: 'allowed' }],
  toggleFollow: [{ send: ({ id }) => byId(id), own: 'cannot-target-self', others: 'allowed' }],
  followUser: [{ send: ({ id }) => byId(id), own: 'cannot-target-self', others: 'allowed' }],
  unfollowUser: [{ send: ({ id }) => byId(id), own: 'cannot-target-self', others: 'allowed' }],
  listFollowers: [{ send: ({ id }) => byId(id), others: 'allowed' }],
  listFollowing: [{ send: ({ id }) => byId(id), others: 'allowed' }],
  followCollection: [
    { variant: 'public', send: ownCollection('public'), own: 'cannot-target-self', others: 'allowed' },
    {
      variant: 'private',
      send: ownCollection('private'),
      own: 'cannot-target-self',
      others: 'not-found',
    },
  ],
  unfollowCollection: [
    { variant: 'public', send: ownCollection('public'), own: 'cannot-target-self', others: 'allowed' },
    {
      variant: 'private',
      send: ownCollection('private'),
      own: 'cannot-target-self',
      others: 'not-found',
    },
  ],
  followChannel: [
    {
      variant: 'a channel in a public collection',
      send: ownChannelIn('public'),
      own: 'cannot-target-self',
      others: 'allowed',
    },
    {
      variant: 'a channel in a private collection',
      send: ownChannelIn('private'),
      own: 'cannot-target-self',
      others: 'not-found',
    },
  ],
  unfollowChannel: [
    {
      variant: 'a channel in a public collection',
      send: ownChannelIn('public'),
      own: 'cannot-target-self',
      others: 'allowed',
    },
    {
      variant: 'a channel in a private collection',
      send: ownChannelIn('private'),
      own: 'cannot-target-self',
      others: 'not-found',
    },
  ],
  getTagFollowStatus: [{ send: () => ({ query: { tag: 'cats' } }) }],
  followTag: [{ send: () => ({ body: { tag: 'cats' } }) }],
  unfollowTag: [{ send: () => ({ body: { tag: 'cats' } }) }],
  listFollowedLists: [{}],
  blockUser: [{ send: ({ id }) => byId(id), own: 'cannot-target-self', others: 'allowed' }],
  unblockUser: [{ send: ({ id }) => byId(id), own: 'cannot-target-self', others: 'allowed' }],
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

  // Reports and moderation
  createReport: [
    { variant: 'a public video', send: withReport(ownVideo('public')), others: 'allowed' },
    { variant: 'private', send: withReport(ownVideo('private')), others: 'not-found' },
    { variant: 'hidden', send: withReport(hiddenVideo), others: 'not-found', moderators: 'allowed' },
    {
      variant: 'a comment',
      send: async (owner) => ({
        body: { comment_id: (await ownComment('comment')(owner)).params.id, report_type: 'spam' },
      }),
      own: 'cannot-target-self',
      others: 'allowed',
    },
    {
      variant: 'a user',
      send: ({ id }) => ({ body: { user_id: id, report_type: 'spam' } }),
      own: 'cannot-target-self',
      others: 'allowed',
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
    { variant: 'public', send: withNewTitle(ownVideo('public')), others: 'allowed' },
    { variant: 'private', send: withNewTitle(ownVideo('private')), own: 'not-found' },
  ],
  editBookmark: [
    { variant: 'public', send: withNewTitle(ownBookmark('public')), others: 'allowed' },
    { variant: 'private', send: withNewTitle(ownBookmark('private')), own: 'not-found' },
  ],
  restoreDecision: [{ send: ownRemoval }],
  getUserHistory: [{ send: ({ username }) => ({ params: { username } }) }],
  searchUsers: [{}],
  // Sanctions of another user, since the callers may be moderators.
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
  createContentRule: [{ send: () => ({ body: { kind: 'word', pattern: randomName(), effect: 'hold' } }) }],
  updateContentRule: [{ send: async () => ({ ...byId(await createRule()), body: { effect: 'refuse' } }) }],
  deleteContentRule: [{ send: async () => byId(await createRule()) }],
  previewRule: [{ send: () => ({ body: { kind: 'word', pattern: randomName() } }) }],
  getStatistics: [{}],
  getVideoHealth: [{}],
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
      others: 'allowed',
    },
  ],
}

/** Returns the error that follows from the contract alone, or null if the call is allowed. */
function expectedRefusal(endpoint: Endpoint, kind: CallerKind): ErrorName | null {
  const { auth, requiresReauth } = endpoint
  if (auth === 'anyone') return null
  if (kind === 'visitor') return auth === 'viewer' ? null : 'unauthenticated'
  if ((rejectedKinds as readonly string[]).includes(kind)) return 'invalid-token'
  const scope = scopeByKind[kind]
  if (requiredScope(endpoint) === 'token') return scope === undefined ? 'forbidden' : null
  if (scope !== undefined && scope !== requiredScope(endpoint)) return 'insufficient-scope'
  if (auth === 'moderator' && /user|demoted/.test(kind)) return 'forbidden'
  if (auth === 'owner' && kind !== 'site owner') return 'forbidden'
  if (kind === 'suspended user' && isForbiddenToSuspended(endpoint)) return 'suspended'
  return requiresReauth && kind === 'user not confirmed lately' ? 'reauthentication-required' : null
}

function expectedOutcome(endpoint: Endpoint, testCase: Case, kind: CallerKind): Outcome {
  const refusal = expectedRefusal(endpoint, kind)
  if (refusal !== null) return refusal
  const own = testCase.own ?? 'allowed'
  if (endpoint.auth === 'anyone' || (ownerKinds as readonly string[]).includes(kind)) return own
  const otherOutcome = testCase.others ?? own
  if (kind === 'visitor') return testCase.visitor ?? otherOutcome
  return kind === 'another moderator' ? (testCase.moderators ?? otherOutcome) : otherOutcome
}

const contract = await loadEndpoints()
const allKinds: CallerKind[] = [...ownerKinds, ...otherKinds, ...rejectedKinds]

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
  // Event streams do not end; that they begin is enough.
  if (String(reply.headers['content-type']).startsWith('text/event-stream')) {
    reply.stream().destroy()
    return { status: statusCode, body: null }
  }
  const text = (await reply.stream().toArray()).join('')
  const isJson = String(reply.headers['content-type']).startsWith('application/json')
  return { status: statusCode, body: isJson ? JSON.parse(text) : null }
}

/** Makes a request of the owner, and returns the id of what it created. */
async function createByRequest(owner: TestUser, url: string, payload?: object): Promise<number> {
  const headers = { authorization: `Bearer ${owner.access}` }
  return (await site.app.inject({ method: 'POST', url, headers, ...(payload && { payload }) })).json().id
}

/** Returns whether the OpenAPI document contains the outcome of a call. */
function isDescribed({ method, path }: Endpoint, status: number, code: string): boolean {
  const { paths = {} } = site.app.swagger() as unknown as OpenApi
  const call = paths[`/api${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()]
  const reply = call?.responses[status]
  if (code === 'allowed') return reply !== undefined
  return reply?.content?.['application/json']?.schema.properties?.code?.enum?.includes(code) === true
}
interface OpenApi {
  paths?: Record<string, Record<string, { responses: Record<string, ApiReply> }>>
}
interface ApiReply {
  content?: Record<string, { schema: { properties?: { code?: { enum?: string[] } } } }>
}

/** Returns the outcome of a response: 'allowed', the code of an error with its own status, or another status. */
function readOutcome(endpoint: Endpoint, { status, body }: { status: number; body: { code?: string } }) {
  if (status === endpoint.status) return 'allowed'
  const code = body?.code ?? ''
  return errors[code as ErrorName]?.[0] === status ? code : String(status)
}

/** Returns a shared caller of a kind. Refused calls change nothing, so callers can be shared by all of them. */
const sharedCallers = new Map<CallerKind, ReturnType<Callers['caller']>>()
function getSharedCaller(kind: CallerKind): ReturnType<Callers['caller']> {
  const caller = sharedCallers.get(kind) ?? callers.caller(kind)
  sharedCallers.set(kind, caller)
  return caller
}

describe('the table of cases', () => {
  test('contains every call of the contract and no other', () => {
    const names = contract.map(([name]) => name)
    expect(
      names.filter((name) => cases[name] === undefined),
      'calls without a row in `cases` of server/rights.test.ts: add who may',
    ).toEqual([])
    expect(Object.keys(cases).filter((name) => !names.includes(name))).toEqual([])
    const calls = contract.map(([, { method, path }]) => `${method} ${path}`)
    expect(new Set(calls).size).toBe(calls.length)
  })

  test('contains only endpoints that are mounted', () => {
    const isMounted = ({ method, path }: Endpoint) =>
      site.app.hasRoute({ method, url: `/api${path.slice(0, -1)}` })
    expect(contract.filter(([, testCase]) => !isMounted(testCase)).map(([name]) => name)).toEqual([])
  })

  test('contains every route below /api except the API documentation', () => {
    const described = contract.map(([, { method, path }]) => `${method} /api${path.slice(0, -1)}`)
    const caller = [...described, 'GET /api/openapi.json', 'OPTIONS /api/*']
    const undocumentedRoutes = listRoutes(site.app).filter(
      (route) => !caller.includes(route) && !/^GET \/api\/docs\b|^\w+ \/api\/\*$/.test(route),
    )
    expect(undocumentedRoutes).toEqual([])
  })

  test('is written to docs/rights.md', async () => {
    await expect(formatTable()).toMatchFileSnapshot('../docs/rights.md')
  })
})

const rows = contract.flatMap(([name, endpoint]) =>
  (cases[name] ?? []).map(
    (testCase) =>
      [
        `${name}${testCase.variant === undefined ? '' : `, ${testCase.variant}`}`,
        endpoint,
        testCase,
      ] as const,
  ),
)

describe('every call has the expected outcome for every kind of caller', () => {
  test.each(rows)('%s', async (_, endpoint, testCase) => {
    const mismatches: string[] = []
    // Callers who are refused regardless of the content share one request.
    const refusedParts = await testCase.send?.(await callers.createUser())
    await Promise.all(
      allKinds.map(async (kind) => {
        const isRefused = expectedRefusal(endpoint, kind) !== null
        const isShared = isRefused || (rejectedKinds as readonly string[]).includes(kind)
        const { user, bearer } = await (isShared ? getSharedCaller(kind) : callers.caller(kind))
        const isOwner = (ownerKinds as readonly string[]).includes(kind)
        // The content is created by its owner, whose current rights are enough for that.
        const parts = isRefused
          ? refusedParts
          : await testCase.send?.(isOwner ? user : await callers.createUser())
        const reply = await request(endpoint, bearer, parts)
        const outcome = readOutcome(endpoint, reply)
        const expected = expectedOutcome(endpoint, testCase, kind)
        if (!isDescribed(endpoint, reply.status, outcome)) {
          mismatches.push(
            `${endpoint.method} ${endpoint.path} by ${kind}: ${reply.status} ${outcome} is not in OpenAPI`,
          )
        }
        if (outcome !== expected) {
          const bodyText = JSON.stringify(reply.body)?.slice(0, 200)
          mismatches.push(
            `${endpoint.method} ${endpoint.path} by ${kind}: expected ${expected}, got ${outcome} ${bodyText}`,
          )
        }
      }),
    )
    expect(mismatches).toEqual([])
  })
})

/** Numbers of statements of reading calls that do not take exactly one, with the reason; null: not counted. */
const otherStatements: Record<string, readonly [number | null, string]> = {
  'getComment, on a hidden video': [2, 'a reply, and then its parent comment'],
  getSignInMethods: [0, 'settings only'],
  getSuggestions: [2, 'what everyone may see, and what only the viewer may see'],
  'listSimilar, public': [2, 'the planner needs to know the search terms'],
  'listSimilar, private': [2, 'as above'],
  'listSimilar, hidden': [2, 'as above'],
  getVideoHealth: [2, 'the numbers, and hosts with problems'],
  findOwnBookmarksByUrl: [2, 'own bookmarks, and how many others saved the video'],
  getCase: [3, 'a case, its reports, and earlier decisions'],
  listAppeals: [2, 'appeals, and their decisions'],
  getUserHistory: [2, 'the user, and decisions about them'],
  exportAuditLog: [null, 'batches of a thousand lines'],
  streamNotifications: [null, 'repeats its queries'],
  downloadExport: [2, 'the export, and then each chunk'],
  listImportRows: [2, 'the import, and a page of its report'],
  downloadImportReport: [2, 'the import, and then its batches'],
}

/** Statements of streams opened by earlier tests. */
const streamStatements = /follower_id = any|where s\.id = any/

describe('a reading call takes one statement besides the authentication', () => {
  const readingRows = rows.filter(
    ([, { method }, { own = 'allowed' }]) => method === 'GET' && own === 'allowed',
  )
  test.each(readingRows)('%s', async (name, endpoint, testCase) => {
    const kind = requiredScope(endpoint) === 'token' ? 'token to read' : 'user'
    const { user, bearer } = await callers.caller(endpoint.auth === 'moderator' ? 'moderator' : kind)
    const parts = await testCase.send?.(user)
    site.statements.length = 0
    const { status } = await request(endpoint, bearer, parts)
    const sent = site.statements.filter((text) => !streamStatements.test(text))
    expect(status).toBe(endpoint.status)
    const [expected] = otherStatements[name] ?? [1]
    if (expected === null) return
    expect(sent, sent.join('\n---\n')).toHaveLength(expected + (endpoint.auth === 'anyone' ? 0 : 1))
  })

  test('and exceptions refer to existing calls', () => {
    const names = rows.map(([name]) => name)
    expect(Object.keys(otherStatements).filter((name) => !names.includes(name))).toEqual([])
  })
})

describe('rights', () => {
  const listReportsEndpoint = Object.fromEntries(contract).listReports as Endpoint

  test('of a promoted or demoted user change with the next request', async () => {
    const { id, access } = await callers.createUser()
    const statusNow = async () => (await request(listReportsEndpoint, access)).status
    expect(await statusNow()).toBe(403)
    await site.db`update users set is_moderator = true where id = ${id}`
    expect(await statusNow()).toBe(200)
    await site.db`update users set is_moderator = false where id = ${id}`
    expect(await statusNow()).toBe(403)
  })

  test('are not granted by claims of a token, and unsigned tokens are refused', async () => {
    const { id, session_id } = await callers.createUser()
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
    const readingRows = Object.fromEntries(contract).listSessions as Endpoint
    expect(readOutcome(readingRows, await request(readingRows, signed))).toBe('allowed')
    expect(readOutcome(listReportsEndpoint, await request(listReportsEndpoint, signed))).toBe('forbidden')
    const [, payload = '', signature = ''] = signed.split('.')
    for (const alg of ['none', 'None', 'HS512']) {
      const header = Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url')
      for (const signatureEnd of ['', signature]) {
        const altered = `${header}.${payload}.${signatureEnd}`
        expect(readOutcome(readingRows, await request(readingRows, altered))).toBe('invalid-token')
      }
    }
  })

  test('that require reauthentication list the methods available to the user', async () => {
    const endpoint = Object.fromEntries(contract).beginAddingPasskey as Endpoint
    const { user, bearer } = await callers.caller('user not confirmed lately')
    const ask = async () => (await request(endpoint, bearer)).body
    const error = { detail: errors['reauthentication-required'][1], code: 'reauthentication-required' }
    expect(await ask()).toEqual({ ...error, methods: ['password'], second_factors: [] })
    await ownPasskey(user)
    // The password alone is not enough, and the user has no code to enter with it.
    expect(await ask()).toEqual({ ...error, methods: ['passkey'], second_factors: [] })
    await site.db`insert into recovery_codes (user_id, code_hash) values (${user.id}, '$argon2id$')`
    const methods = ['password', 'passkey']
    expect(await ask()).toEqual({ ...error, methods, second_factors: ['recovery_code'] })
    await ownAuthenticator(user)
    expect(await ask()).toEqual({ ...error, methods, second_factors: ['authenticator', 'recovery_code'] })
    await site.db`update users set password_hash = null where id = ${user.id}`
    expect(await ask()).toMatchObject({ ...error, methods: ['passkey'] })
  })
})

const corpus = openCorpus('security/jwt')
describe.skipIf(!corpus.exists)('forged tokens of the corpus', () => {
  const tokens = [
    ...corpus.rows<{ name: string; token: string }>('own.jsonl').map(({ name, token }) => [name, token]),
    ...corpus.rows<{ tcId: number; jws: string }>('wycheproof_jws.jsonl').map(({ tcId, jws }) => [tcId, jws]),
  ] as [string, string][]

  test('are refused for users and for moderators', async () => {
    const calls = [
      Object.fromEntries(contract).listSessions,
      Object.fromEntries(contract).listReports,
    ] as Endpoint[]
    const mismatches: string[] = []
    for (const [name, token] of tokens) {
      for (const endpoint of calls) {
        const outcome = readOutcome(endpoint, await request(endpoint, token))
        if (outcome !== 'invalid-token') mismatches.push(`${endpoint.path} by ${name}: got ${outcome}`)
      }
    }
    expect(tokens.length).toBeGreaterThan(300)
    expect(mismatches).toEqual([])
  })
})

/** Returns every route of an app as text such as `GET /api/videos`, parsed from the tree it prints. */
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

function formatTable(): string {
  const cell = (endpoint: Endpoint, testCase: Case, kind: CallerKind) => {
    if (kind.startsWith('another') && testCase.others === undefined) return ''
    const outcome = expectedOutcome(endpoint, testCase, kind)
    if (outcome === 'allowed') return 'yes'
    const [status] = errors[outcome]
    const isAllowed = outcome === testCase.own && status !== 401 && status !== 403
    return `${isAllowed ? 'yes, then ' : ''}${status} ${outcome}`
  }
  const shownKinds = [
    'visitor',
    'user',
    'another user',
    'moderator',
    'another moderator',
    'site owner',
  ] as const
  const lines = contract.flatMap(([name, endpoint]) =>
    (cases[name] ?? []).map((testCase) => [
      `\`${endpoint.method} ${endpoint.path}\``,
      testCase.variant ?? '',
      ...shownKinds.map((kind) => cell(endpoint, testCase, kind)),
      endpoint.auth === 'anyone'
        ? 'any'
        : requiredScope(endpoint) === 'session'
          ? 'none'
          : requiredScope(endpoint),
      endpoint.requiresReauth ? 'yes' : '',
    ]),
  )
  const head = ['Call', 'Case', ...shownKinds, 'Token scope', 'Reauthentication']
  const table = [head, head.map(() => '---'), ...lines].map((row) => `| ${row.join(' | ')} |`).join('\n')
  return `# Who may call what

Generated by \`server/rights.test.ts\`, which makes each of these calls as each kind of caller. Do not edit.

- **yes**: allowed. Otherwise the status and the code of the error (\`contract/protocol/errors.ts\`). Some calls need more
  than a right, for example a valid ticket, which the test does not have: **yes, then** the error they return.
- **user**, **moderator**, **site owner**: about their own content. **another …**: about content of other users; empty if a call does not
  concern content of a user. For a visitor all content belongs to others.
- **Token scope**: the scope that a personal access token needs, otherwise 403 insufficient-scope. \`none\`: the call
  requires a session. \`token\`: the call requires an access token of any scope, otherwise 403 forbidden. \`any\`: the call
  requires no authentication.
- **Reauthentication**: only within 15 minutes of authenticating, otherwise 403 reauthentication-required.
- Calls that read the token return 401 invalid-token if it is forged or expired, its session has ended, or the user was
  banned or deleted. A demoted moderator is a user from the next request on.
- Suspended users can read, and can change only their own account except its username: otherwise 403 suspended.

${table}
`
}
