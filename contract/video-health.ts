/** The progress of the checks whether videos are still available at their hosts. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { nullable, Time } from './protocol/fields.ts'

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
