/** Where the viewer is in a video, private to the viewer. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { IdParams, nullable } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'

export const getPosition = endpoint({
  group: 'collecting',
  auth: 'user',
  invalidatesCache: false,
  params: IdParams,
  method: 'GET',
  path: '/videos/:id/position/',
  summary: 'Get where you stopped watching a video',
  status: 200,
  /** Null: no position is stored, or you may not see the video. */
  reply: t.Object({ seconds: nullable(t.Integer()) }),
  errors: [],
})

export const savePosition = endpoint({
  group: 'collecting',
  auth: 'user',
  invalidatesCache: false,
  params: IdParams,
  method: 'POST',
  path: '/videos/:id/position/',
  summary: 'Store where you are in a video',
  body: t.Object(
    { seconds: t.Integer({ minimum: 1, maximum: limits.durationMax }) },
    { additionalProperties: false },
  ),
  status: 200,
  /** False: your history is paused. */
  reply: t.Object({ is_stored: t.Boolean() }),
  errors: ['invalid', 'not-found', 'rate-limited'],
})

export const recordEnd = endpoint({
  group: 'collecting',
  auth: 'user',
  invalidatesCache: false,
  params: IdParams,
  method: 'POST',
  path: '/videos/:id/ended/',
  summary:
    'Record that a video ended: mark it as watched, unless your history is paused, and forget the position',
  status: 200,
  reply: t.Object({ is_watched: t.Boolean() }),
  errors: ['not-found', 'rate-limited'],
})
