import * as t from 'typebox'
import { CollectionInProfile } from './collections.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, nullable, Orientation, optionalText, Time, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

/** How often mails tell what is unread. */
export const mailFrequencies = ['off', 'daily', 'weekly'] as const
export const MailFrequency = t.Enum(mailFrequencies)
export type MailFrequency = t.Static<typeof MailFrequency>

export const UsernameParams = t.Object({ username: t.String({ minLength: 1, maxLength: 150 }) })

export const Profile = t.Object({
  user_id: Id,
  ...UserSummary.properties,
  bio: t.String(),
  is_moderator: t.Boolean(),
  created_at: Time,
  followers_count: t.Integer(),
  following_count: t.Integer(),
  /** What the viewer may see of this user's bookmarks: the owner's count includes private ones. */
  bookmarks_count: t.Integer(),
  likes_count: t.Integer(),
  /** The first that the viewer may see, at most `limits.profileCollections`; all of them: `listCollections`. */
  collections: t.Array(CollectionInProfile),
  is_followed: t.Boolean(),
  /** By the viewer. To whom they block, a profile is not there at all. */
  is_blocked: t.Boolean(),
  /** The viewer's mute of them, as `unmute` takes it. */
  mute_id: nullable(Id),
  /**
   * What only the owner of a profile is told. Optional one by one: `t.Partial` would bring 12 KB of typebox into every
   * page.
   */
  email: t.Optional(t.String()),
  default_bookmark_orientation: t.Optional(Orientation),
  default_bookmark_collection: t.Optional(nullable(Id)),
  notify_on_follow: t.Optional(t.Boolean()),
  notify_on_own_video_bookmarked: t.Optional(t.Boolean()),
  notify_on_new_bookmark_from_followed_user: t.Optional(t.Boolean()),
  notify_on_own_video_liked: t.Optional(t.Boolean()),
  notify_by_email: t.Optional(MailFrequency),
  /** Until then one looks and changes nothing (contract/sanctions.ts); null: one is not suspended. */
  suspended_until: t.Optional(nullable(Time)),
})
export type Profile = t.Static<typeof Profile>

export const getProfile = endpoint({
  method: 'GET',
  path: '/profile/:username/',
  summary: 'A user, with counts; the settings too when it is oneself',
  group: 'profiles',
  auth: 'viewer',
  params: UsernameParams,
  status: 200,
  reply: Profile,
  errors: ['not-found'],
})

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/profile/:username/',
  summary: 'Change your own profile and settings: what is named',
  group: 'profiles',
  auth: 'user',
  params: UsernameParams,
  body: t.Object(
    {
      bio: t.Optional(optionalText(limits.bioMax)),
      default_bookmark_orientation: t.Optional(Orientation),
      /** One of your own collections; null: none. */
      default_bookmark_collection: t.Optional(nullable(Id)),
      notify_on_follow: t.Optional(t.Boolean()),
      notify_on_own_video_bookmarked: t.Optional(t.Boolean()),
      notify_on_new_bookmark_from_followed_user: t.Optional(t.Boolean()),
      notify_on_own_video_liked: t.Optional(t.Boolean()),
      notify_by_email: t.Optional(MailFrequency),
      /** A picture comes as a file, in a form; blank or null: the default picture again. */
      avatar: t.Optional(nullable(t.String({ maxLength: 0 }))),
    },
    { additionalProperties: false },
  ),
  picture: 'avatar',
  status: 200,
  reply: Profile,
  /** `forbidden`: somebody else's. */
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
