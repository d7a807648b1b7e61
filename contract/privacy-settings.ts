/** Who sees a user's profile and lists. Fields of the user's own profile; `updateProfile` changes them. */
import * as t from 'typebox'
import { BookmarkAccess } from './protocol/fields.ts'

/** Who sees something: every visitor, signed-in users, or only the user it belongs to. */
export const visibilities = ['everyone', 'members', 'only_me'] as const
export const Visibility = t.Enum(visibilities)
export type Visibility = t.Static<typeof Visibility>

/** Visitors never see collectors. */
export const collectorVisibilities = ['members', 'only_me'] as const

export const privacyFields = {
  /** The profile's page and everything that is found by the user's name. No list is more visible than it. */
  profile_visibility: Visibility,
  likes_visibility: Visibility,
  /** Whom the user follows. */
  following_visibility: Visibility,
  followers_visibility: Visibility,
  /** Whether the user is named among the collectors of a video. */
  collector_visibility: t.Enum(collectorVisibilities),
  /** Access of new bookmarks whose request names none. */
  default_bookmark_access: BookmarkAccess,
  /** Whether the numbers of bookmarks and likes that others see include adult items. */
  counts_adult: t.Boolean(),
}
export type PrivacySettings = { [Name in keyof typeof privacyFields]: t.Static<(typeof privacyFields)[Name]> }

/** The settings of a new user. The database has the same defaults. */
export const defaultPrivacy: PrivacySettings = {
  profile_visibility: 'everyone',
  likes_visibility: 'everyone',
  following_visibility: 'everyone',
  followers_visibility: 'everyone',
  collector_visibility: 'members',
  default_bookmark_access: 'public',
  counts_adult: false,
}
