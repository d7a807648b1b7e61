/** Bookmarks and their videos (docs/behaviour.md, Videos and bookmarks). */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import {
  BookmarkAccess,
  HttpUrl,
  HttpUrlOrBlank,
  Id,
  IdParams,
  knownShapes,
  Mentions,
  nullable,
  Orientation,
  optionalFields,
  optionalText,
  orientations,
  Shape,
  Tag,
  Time,
  UserSummary,
} from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { factFields, metadataFields, metadataTexts, StartSeconds, uploaderFields } from './video-facts.ts'

/** A public note: part of the reply with its bookmark. */
export const PublicNote = t.Object({
  id: Id,
  /** Where in the video. */
  seconds: t.Integer(),
  text: t.String(),
})
export type PublicNote = t.Static<typeof PublicNote>

/** The video as its bookmark presents it: title, description and tags are the bookmark's. */
export const Video = t.Object({
  id: Id,
  title: t.String(),
  description: t.String(),
  tags: t.Array(Tag),
  source_url: t.String(),
  /** In lower case and without `www.`. */
  host: t.String(),
  provider: nullable(t.String()),
  /** https; null: the video cannot be played here. */
  embed_url: nullable(t.String()),
  /** `known`: built from the parsed id of a known host. `other`: shown inside `embed_page_url` after a click. */
  player: nullable(t.Enum(['known', 'other'])),
  /**
   * How the player's URL (of an `other` host: `embed_page_url`) names the time to start at: `start={seconds}` as a query
   * parameter, `#t={seconds}s` as the fragment; `{time}` is written as `1h2m3s`. Null: it always starts at the beginning.
   */
  start_parameter: nullable(t.String()),
  /** On our own origin. Null: not fetched yet, or the video has none. */
  thumbnail_url: nullable(t.String()),
  thumbnail_large_url: nullable(t.String()),
  orientation: Orientation,
  shape: Shape,
  /** In seconds. */
  duration: nullable(t.Integer()),
  width: nullable(t.Integer()),
  height: nullable(t.Integer()),
  ...optionalFields(uploaderFields(t.String())),
  likes_count: t.Integer(),
  comments_count: t.Integer(),
  saves_count: t.Integer(),
  /** `hidden`: under review. Only owners and moderators see this; for everyone else the video does not exist. */
  status: t.Enum(['visible', 'hidden', 'removed']),
  /** True: its host no longer has the video, or no longer shows it to anyone. Checks clear it when the video is back. */
  is_missing: t.Optional(t.Boolean()),
  /** Since when. Null also if the video was gone already when the bookmark was saved. */
  missing_since: t.Optional(nullable(Time)),
  /** True: moderators removed title and picture at the request of the rights holder. The title is the name of the host. */
  is_link_only: t.Optional(t.Boolean()),
})
export type Video = t.Static<typeof Video>

/**
 * What the owner of a bookmark set about the video itself. Null: what the server determined applies. `thumbnail_url` is the
 * address the picture is fetched from.
 */
export const OwnerFacts = t.Object({
  embed_url: nullable(t.String()),
  thumbnail_url: nullable(t.String()),
  shape: nullable(Shape),
  duration: nullable(t.Integer()),
  has_uploaded_thumbnail: t.Boolean(),
  /** `failed`: the picture could not be fetched; it is tried again for a month. */
  thumbnail_state: t.Enum(['none', 'pending', 'ready', 'failed']),
})

export const Bookmark = t.Object({
  id: Id,
  title: t.String(),
  ...metadataTexts,
  tags: t.Array(Tag),
  created_at: Time,
  updated_at: Time,
  user: UserSummary,
  video: Video,
  access: BookmarkAccess,
  /** Whether everyone may see it: bookmark and collection are both public. */
  is_public: t.Boolean(),
  collection: t.Object({ id: Id, name: t.String(), access: BookmarkAccess }),
  channel: nullable(t.Object({ id: Id, name: t.String() })),
  /** Where the owner lets the video start; null: at the beginning. */
  start_seconds: nullable(t.Integer()),
  /** The owner's public notes, in the order of the video. */
  notes: t.Array(PublicNote),
  /**
   * URL on our own origin that shows the player of an `other` host. For a bookmark that is not public, the link
   * expires after some minutes.
   */
  embed_page_url: nullable(t.String()),
  is_owner: t.Boolean(),
  is_liked: t.Boolean(),
  /** This and the next field are present for signed-in viewers only. The marks must follow each other (shared-responses.ts). */
  is_watched: t.Optional(t.Boolean()),
  is_in_watch_later: t.Optional(t.Boolean()),
  /** True: a content rule holds it, and others see it only after a moderator approved it. */
  is_held: t.Optional(t.Boolean()),
  /** This and the next two fields are present for the owner only. */
  private_note: t.Optional(t.String()),
  owner_facts: t.Optional(OwnerFacts),
  /** The link that was replaced for everyone, to which the owner can return until a time. */
  replaced_link: t.Optional(nullable(t.Object({ source_url: t.String(), until: Time }))),
  /** In the description. */
  mentions: Mentions,
})
export type Bookmark = t.Static<typeof Bookmark>

/** Older clients send a shape as orientation; it is stored as the shape (docs/behaviour.md, Videos and bookmarks). */
const orientationsAndShapes = [...orientations, ...knownShapes] as const
const OrientationInput = t.Enum(orientationsAndShapes)

/** The facts as forms send them: each may be missing. A blank link means no link. */
export const optionalFacts = optionalFields({
  ...factFields(HttpUrlOrBlank),
  ...uploaderFields(HttpUrlOrBlank),
})

/** Everything but the link and title is optional: for missing fields the server determines the value. */
export const VideoInput = t.Object(
  {
    source_url: HttpUrl,
    title: metadataFields.title,
    description: t.Optional(metadataFields.description),
    tags: t.Optional(metadataFields.tags),
    ...optionalFacts,
    orientation: t.Optional(OrientationInput),
  },
  { additionalProperties: false },
)
export type VideoInput = t.Static<typeof VideoInput>

export const BookmarkInput = t.Object(
  {
    /** Destination: a channel, or a collection without a channel. One of the two is required. */
    channel_id: t.Optional(nullable(Id)),
    collection_id: t.Optional(nullable(Id)),
    /** The owner's title, texts and tags. If one is missing, or the title blank, that of `video` is used. */
    title: t.Optional(optionalText(limits.titleMax)),
    ...optionalFields(metadataTexts),
    tags: t.Optional(metadataFields.tags),
    /** Missing: your default access, which is public until you change it. */
    access: t.Optional(BookmarkAccess),
    /** Missing: the start time that `video.source_url` names, such as `?t=90`. Null: the beginning. */
    start_seconds: t.Optional(nullable(StartSeconds)),
    private_note: t.Optional(optionalText(limits.privateNoteMax)),
  },
  { additionalProperties: false },
)
export type BookmarkInput = t.Static<typeof BookmarkInput>

export const SaveInput = t.Object(
  { video: VideoInput, bookmark: BookmarkInput },
  { additionalProperties: false },
)
export type SaveInput = t.Static<typeof SaveInput>

export const getBookmark = endpoint({
  method: 'GET',
  path: '/bookmarks/:id/',
  summary: 'Get a bookmark with its video and owner',
  group: 'bookmarks',
  auth: 'viewer',
  params: IdParams,
  status: 200,
  /** Has another `id` if the bookmark was merged with that one, because both were of the same video. */
  reply: Bookmark,
  errors: ['not-found'],
})

const saveBase = {
  method: 'POST',
  group: 'bookmarks',
  auth: 'user',
  body: SaveInput,
  status: 201,
  reply: Bookmark,
  errors: [
    'invalid',
    'unauthenticated',
    'already-saved',
    'idempotency-key-in-use',
    'idempotency-key-reused',
    'rate-limited',
  ],
  idempotent: true,
} as const

export const saveBookmark = endpoint({ ...saveBase, path: '/bookmarks/', summary: 'Save an extracted video' })

export const saveBookmarkManually = endpoint({
  ...saveBase,
  path: '/bookmarks/manual-create/',
  summary: 'Save a video from the manual form',
})

/** Splits a line at commas, trims the tags and drops empty ones: `'a, b ,,c'` → `['a', 'b', 'c']`. */
export function splitTags(line: string): string[] {
  return line
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}
