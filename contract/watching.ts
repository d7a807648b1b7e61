/** Marking videos as watched. */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { IdParams } from './protocol/fields.ts'

const watchedBase = {
  path: '/videos/:id/watched/',
  group: 'collecting',
  auth: 'user',
  invalidatesCache: false,
  params: IdParams,
  status: 200,
  reply: t.Object({ is_watched: t.Boolean() }),
  errors: ['not-found'],
} as const

export const markWatched = endpoint({ ...watchedBase, method: 'POST', summary: 'Mark a video as watched' })

export const unmarkWatched = endpoint({
  ...watchedBase,
  method: 'DELETE',
  summary: 'Mark a video as not watched',
})

export const clearWatched = endpoint({
  method: 'DELETE',
  path: '/watched/',
  summary: 'Clear your history: all watched marks and positions',
  group: 'collecting',
  auth: 'user',
  invalidatesCache: false,
  status: 200,
  /** `cleared` counts the watched marks. */
  reply: t.Object({ cleared: t.Integer() }),
  errors: ['rate-limited'],
})
