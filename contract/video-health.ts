/** Whether videos are still available at their hosts: the progress of the checks, and other links for videos that are gone. */
import * as t from 'typebox'
import { Bookmark } from './bookmarks.ts'
import { endpoint } from './protocol/endpoint.ts'
import { IdParams, nullable, Time } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

/** What the last check of a video found. `missing`: deleted or removed. `unclear`: the host did not say. */
export const healthOutcomes = [
  'available',
  'region-blocked',
  'age-restricted',
  'login-required',
  'private',
  'missing',
  'unclear',
  'down',
] as const

const HostProblem = t.Object({
  host: t.String(),
  /** `silent`: down, or refuses to be asked. `suspicious`: says of unusually many videos that they are gone. */
  problem: t.Enum(['silent', 'suspicious']),
  /** When it was asked last. */
  checked_at: nullable(Time),
  /** When it is asked again. */
  next_check_at: Time,
})

export const VideoHealth = t.Object({
  /** False: the operator turned the checks off. */
  is_on: t.Boolean(),
  /** When a job counted the videos, every ten minutes; null: not yet, and the counts are 0. `due` is counted now. */
  counted_at: nullable(Time),
  videos: t.Integer(),
  checked_last_day: t.Integer(),
  checked_last_month: t.Integer(),
  never_checked: t.Integer(),
  /** Checks that are late. At most 10,000 are counted. */
  due: t.Integer(),
  /** Since when the latest of them is late; null: none is. */
  due_since: nullable(Time),
  /** Videos that count as gone: their checks failed on three different days. */
  missing: t.Integer(),
  /** By the last check of each video. */
  outcomes: t.Array(t.Object({ outcome: t.Enum(healthOutcomes), videos: t.Integer() })),
  /** At most 50, the ones that were asked last first. Hosts of which no video is public are left out. */
  hosts: t.Array(HostProblem),
})
export type VideoHealth = t.Static<typeof VideoHealth>

export const getVideoHealth = endpoint({
  method: 'GET',
  path: '/moderation/video-health/',
  summary: 'Get the progress of the checks whether videos are still available',
  group: 'moderation',
  auth: 'moderator',
  status: 200,
  reply: VideoHealth,
  errors: [],
})

export const replaceLink = endpoint({
  method: 'POST',
  path: '/bookmarks/:id/replace-link/',
  summary: 'Replace the link of your bookmark of a video that is gone',
  group: 'bookmarks',
  auth: 'user',
  params: IdParams,
  body: t.Object(
    { source_url: t.String({ minLength: 1, maxLength: limits.urlMax }) },
    { additionalProperties: false },
  ),
  status: 200,
  /** Has another `id` if you had saved the other video in the same place: the two are merged. */
  reply: Bookmark,
  errors: ['invalid', 'unauthenticated', 'not-found', 'rate-limited'],
})
