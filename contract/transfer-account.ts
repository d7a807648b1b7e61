/**
 * What an export contains about the account itself, besides the library. An import ignores it: it belongs to the account
 * on that site. Never included are secrets, such as password hashes and tokens, and private data of other users.
 */
import * as t from 'typebox'
import { nullable, Orientation, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

const noExtraProperties = { additionalProperties: false } as const
const time = nullable(Time)
const username = t.String({ maxLength: limits.usernameMax })
/** A text that the server stored, which is not screened again. */
const storedText = t.String({ maxLength: 10_000 })
const optionalStoredText = nullable(storedText)

export const TransferAccount = t.Object(
  {
    email: storedText,
    email_confirmed_at: time,
    /** The address that waits for confirmation. */
    new_email: optionalStoredText,
    created_at: Time,
    is_moderator: t.Boolean(),
    is_owner: t.Boolean(),
    is_verified: t.Boolean(),
    suspended_until: time,
    has_password: t.Boolean(),
    /** Since when sign-in methods that existed at a password reset wait for the user's decision. */
    sign_in_review_since: time,
    /** Sign-in methods linked before this time may be those of another person; a password reset removes them. */
    untrusted_methods_until: time,
    /** When an authenticator app was set up. */
    authenticator_confirmed_at: time,
    recovery_codes_left: t.Integer(),
    last_digest_at: time,
    /** The profile photo as WebP in base64. */
    avatar: nullable(t.String({ maxLength: 1_000_000 })),
  },
  noExtraProperties,
)

function listOf<P extends t.TProperties>(fields: P) {
  return t.Optional(t.Array(t.Object(fields, noExtraProperties), { maxItems: 1_000_000 }))
}

/** The lists of an export that an import ignores. */
export const exportOnlyLists = {
  trash: listOf({
    source_url: storedText,
    title: storedText,
    description: storedText,
    tags: t.Array(storedText),
    orientation: Orientation,
    access: storedText,
    /** Missing in files of earlier versions. */
    private_note: t.Optional(storedText),
    collection: storedText,
    start_seconds: nullable(t.Integer()),
    created_at: Time,
    deleted_at: Time,
  }),
  /** Subscriptions to channels and feeds of other sites. */
  subscriptions: listOf({
    url: storedText,
    title: storedText,
    /** Null: it was deleted. */
    collection: optionalStoredText,
    channel: optionalStoredText,
    access: storedText,
    is_paused: t.Boolean(),
    created_at: Time,
  }),
  /** What is pinned to the profile, in order: a bookmark, or a collection without a link. All have the time of the last change. */
  pins: listOf({ position: t.Integer(), title: storedText, source_url: optionalStoredText, pinned_at: Time }),
  /** Names that the user had before and that still lead to them. */
  former_usernames: listOf({ username, used_since: Time, changed_at: Time }),
  followers: listOf({ username, followed_at: Time }),
  /** Reports that the user made. */
  reports: listOf({
    target_kind: storedText,
    report_type: storedText,
    notes: storedText,
    /** The network it was made from, while it is open. */
    network: optionalStoredText,
    suggested_orientation: optionalStoredText,
    status: storedText,
    created_at: Time,
    decided_at: time,
  }),
  /** Moderators' decisions about the user and their content. */
  decisions: listOf({
    action: storedText,
    target_kind: storedText,
    reason: optionalStoredText,
    title: storedText,
    statement: storedText,
    created_at: Time,
    until: time,
    undone_at: time,
  }),
  appeals: listOf({
    /** The action and time of the decision. */
    decision: storedText,
    decision_at: Time,
    text: storedText,
    status: storedText,
    answer: storedText,
    created_at: Time,
    decided_at: time,
  }),
  notifications: listOf({ kind: storedText, last_event_at: Time, read_at: time }),
  sessions: listOf({
    user_agent: storedText,
    address: optionalStoredText,
    created_at: Time,
    last_used_at: Time,
    authenticated_at: Time,
    expires_at: Time,
    ended_at: time,
  }),
  access_tokens: listOf({
    name: storedText,
    scopes: t.Array(storedText),
    created_at: Time,
    expires_at: time,
    last_used_at: time,
  }),
  passkeys: listOf({ name: storedText, is_synced: t.Boolean(), created_at: Time, last_used_at: time }),
  identities: listOf({
    issuer: storedText,
    subject: storedText,
    email: optionalStoredText,
    created_at: Time,
    last_used_at: time,
  }),
}
export type ExportOnlyList = keyof typeof exportOnlyLists
export const exportOnlyListNames = Object.keys(exportOnlyLists) as ExportOnlyList[]
