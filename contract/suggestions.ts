/** Suggestions while typing a search (docs/behaviour.md, Lists and search). */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import {
  BookmarkAccess,
  Id,
  nullable,
  Orientation,
  OrientationFilter,
  Time,
  UserSummary,
} from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

/** `id` is that of a bookmark. */
const SuggestedVideo = {
  id: Id,
  title: t.String(),
  thumbnail_url: nullable(t.String()),
  /** Adult thumbnails are concealed until the visitor confirms their age. */
  orientation: Orientation,
  user_username: t.String(),
  is_public: t.Boolean(),
}

/** At most `limits.suggestionsMax` of each kind, the best match first. */
export const Suggestions = t.Object({
  /** `uses_count` is the number of public uses; 0 for a tag of the viewer's own private bookmarks only. */
  tags: t.Array(t.Object({ name: t.String(), uses_count: t.Integer() })),
  users: t.Array(t.Object({ ...UserSummary.properties, followers_count: t.Integer() })),
  /** Of videos on other sites, as `channel:` finds them. */
  uploaders: t.Array(t.Object({ name: t.String() })),
  collections: t.Array(
    t.Object({ id: Id, name: t.String(), access: BookmarkAccess, user_username: t.String() }),
  ),
  videos: t.Array(t.Object(SuggestedVideo)),
  /** The viewer's own bookmarks, also private ones; empty for visitors. */
  own: t.Array(t.Object({ ...SuggestedVideo, collection_name: t.String(), created_at: Time })),
})
export type Suggestions = t.Static<typeof Suggestions>

export const getSuggestions = endpoint({
  method: 'GET',
  path: '/suggestions/',
  summary: 'Suggest tags, users, uploaders, collections and videos for the beginning of a search',
  group: 'listing',
  auth: 'viewer',
  query: t.Object(
    {
      /** A text without letters and digits has no suggestions. */
      q: t.String({ maxLength: limits.searchMax }),
      /** Suggests only videos of this orientation; `sfw` leaves out tags used on adult videos only, too. */
      orientation: t.Optional(OrientationFilter),
    },
    { additionalProperties: false },
  ),
  status: 200,
  reply: Suggestions,
  errors: ['invalid'],
})

export const suggestMentions = endpoint({
  method: 'GET',
  path: '/suggestions/mentions/',
  summary: 'Suggest users to mention in a text, by the beginning of a name',
  group: 'listing',
  auth: 'user',
  query: t.Object(
    {
      q: t.String({ minLength: limits.mentionMin, maxLength: limits.usernameMax }),
      /** The video on which the user writes a comment: participants of its discussion come first. */
      video: t.Optional(Id),
    },
    { additionalProperties: false },
  ),
  status: 200,
  /** At most `limits.suggestionsMax`. */
  reply: t.Object({ users: t.Array(UserSummary) }),
  errors: ['invalid'],
})

/** A user who saves videos with tags that the viewer picked. */
export const SuggestedUser = t.Object({
  ...UserSummary.properties,
  followers_count: t.Integer(),
  /** Whether the viewer follows this user: false when they are suggested. */
  is_followed: t.Boolean(),
  /** Which of the tags the user's videos have, the most frequent first. */
  tags: t.Array(t.String()),
})
export type SuggestedUser = t.Static<typeof SuggestedUser>

export const suggestUsers = endpoint({
  method: 'GET',
  path: '/suggestions/users/',
  summary: 'Suggest users to follow, who used the tags most among the newest public bookmarks with them',
  group: 'listing',
  auth: 'user',
  query: t.Object(
    {
      /** Up to `limits.pickedTagsMax` tags, separated by commas. Further ones are ignored. */
      tags: t.String({ maxLength: limits.pickedTagsMax * (limits.tagMax + 2) }),
      /** Compares only videos that are not adult content. */
      orientation: t.Optional(t.Literal('sfw')),
    },
    { additionalProperties: false },
  ),
  status: 200,
  /** At most `limits.suggestedUsersMax`, who used the tags most first. */
  reply: t.Object({ users: t.Array(SuggestedUser) }),
  errors: ['invalid'],
})

export const findVideoByLink = endpoint({
  method: 'GET',
  path: '/suggestions/link/',
  summary: 'Find the public bookmark that represents the video of a link',
  group: 'listing',
  auth: 'viewer',
  query: t.Object(
    {
      /** Any link that leads to the video, not only the canonical URL. */
      url: t.String({ minLength: 1, maxLength: limits.urlMax }),
    },
    { additionalProperties: false },
  ),
  status: 200,
  /** Null: no bookmark of the video is public, or the link leads to no video. */
  reply: t.Object({ bookmark: nullable(t.Object({ id: Id, title: t.String() })) }),
  errors: ['invalid'],
})
