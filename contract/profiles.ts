import * as t from 'typebox'
import { CollectionInProfile } from './collections.ts'
import { Pin } from './pins.ts'
import { privacyFields } from './privacy-settings.ts'
import { endpoint } from './protocol/endpoint.ts'
import {
  Id,
  nullable,
  Orientation,
  optionalFields,
  optionalFlags,
  optionalText,
  Time,
  UserSummary,
} from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { NameSearchQuery, pageOf } from './protocol/paging.ts'

/** How often digests of unread notifications are mailed. */
export const mailFrequencies = ['off', 'daily', 'weekly'] as const
export const MailFrequency = t.Enum(mailFrequencies)
export type MailFrequency = t.Static<typeof MailFrequency>

/** The kinds of notifications that users turn on and off, for the bell and for mail. */
export const switchableKinds = [
  'follow',
  'collection_follow',
  'own_video_bookmarked',
  'new_bookmark_from_followed_user',
  'own_video_liked',
  'reply',
  'comment',
  'mention',
] as const
export type SwitchableKind = (typeof switchableKinds)[number]

/**
 * The settings that are on or off, on for new users. The database, the settings page, exports and imports follow this
 * list: each name is a column of users and a field of the API.
 */
export const settingFlags = switchableKinds.flatMap(
  (kind) => [`notify_on_${kind}`, `mail_on_${kind}`] as const,
)
export type SettingFlag = (typeof settingFlags)[number]

export const UsernameParams = t.Object({ username: t.String({ minLength: 1, maxLength: 150 }) })

export const Profile = t.Object({
  user_id: Id,
  ...UserSummary.properties,
  bio: t.String(),
  is_moderator: t.Boolean(),
  created_at: Time,
  /** These two are 0 if the user hides the list from the viewer. */
  followers_count: t.Integer(),
  following_count: t.Integer(),
  /** Bookmarks that the viewer may see, without adult ones unless the user counts them; the owner's count includes private ones. */
  bookmarks_count: t.Integer(),
  /** As `bookmarks_count`; 0 if the user hides their likes from the viewer. */
  likes_count: t.Integer(),
  /** The first `limits.profileCollectionsMax` that the viewer may see; `listCollections` returns all. */
  collections: t.Array(CollectionInProfile),
  /** What the user pinned to the top of the profile, in order, as far as the viewer may see it. */
  pins: t.Array(Pin),
  is_followed: t.Boolean(),
  /** Whether visitors see the profile: only then does it have a feed. */
  has_feed: t.Boolean(),
  /** Whether the viewer blocks this user. If this user blocks the viewer, the profile does not exist for them. */
  is_blocked: t.Boolean(),
  /** Id of the viewer's mute of this user, as `deleteMute` takes it; null: not muted. */
  mute_id: nullable(Id),
  /**
   * The following fields are present on the viewer's own profile only. Each is declared optional because `t.Partial`
   * would add 12 KB of typebox to every page.
   */
  email: t.Optional(t.String()),
  is_owner: t.Optional(t.Boolean()),
  default_bookmark_orientation: t.Optional(Orientation),
  default_bookmark_collection: t.Optional(nullable(Id)),
  ...optionalFlags(settingFlags),
  notify_by_email: t.Optional(MailFrequency),
  /** Whether neither positions in videos nor automatic watched marks are stored. */
  is_history_paused: t.Optional(t.Boolean()),
  ...optionalFields(privacyFields),
  /** Until then the user can read but not change anything (sanctions.ts). Null: not suspended. */
  suspended_until: t.Optional(nullable(Time)),
})
export type Profile = t.Static<typeof Profile>

export const getProfile = endpoint({
  method: 'GET',
  path: '/profile/:username/',
  summary: 'Get a user with counts; your own profile includes the settings',
  group: 'profiles',
  auth: 'viewer',
  params: UsernameParams,
  status: 200,
  reply: Profile,
  errors: ['not-found'],
})

/** A user as a search shows them. */
export const FoundUser = t.Object({
  ...UserSummary.properties,
  bio: t.String(),
  followers_count: t.Integer(),
  /** Bookmarks that everyone may see. From 200 on, the number may be an hour old. */
  bookmarks_count: t.Integer(),
  /** Whether the viewer follows this user. */
  is_followed: t.Boolean(),
})
export type FoundUser = t.Static<typeof FoundUser>

export const searchProfiles = endpoint({
  method: 'GET',
  path: '/users/search/',
  summary: 'Search users by the words of their usernames',
  group: 'profiles',
  auth: 'viewer',
  query: NameSearchQuery,
  status: 200,
  reply: pageOf(FoundUser),
  errors: ['invalid', 'invalid-page'],
})

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/profile/:username/',
  summary: 'Change the given fields of your profile and settings',
  group: 'profiles',
  auth: 'user',
  params: UsernameParams,
  body: t.Object(
    {
      bio: t.Optional(optionalText(limits.bioMax)),
      default_bookmark_orientation: t.Optional(Orientation),
      /** One of your own collections. Null: no default. */
      default_bookmark_collection: t.Optional(nullable(Id)),
      ...optionalFlags(settingFlags),
      notify_by_email: t.Optional(MailFrequency),
      is_history_paused: t.Optional(t.Boolean()),
      ...optionalFields(privacyFields),
      /** Blank or null restores the default picture. A new picture is sent as a file in a multipart form. */
      avatar: t.Optional(nullable(t.String({ maxLength: 0 }))),
    },
    { additionalProperties: false },
  ),
  picture: 'avatar',
  status: 200,
  reply: Profile,
  /** `forbidden`: the profile belongs to another user. */
  errors: [
    'invalid',
    'malformed-body',
    'unauthenticated',
    'invalid-token',
    'insufficient-scope',
    'forbidden',
    'not-found',
    'too-large',
    'unsupported-type',
    'rate-limited',
  ],
})
