import { getProfile } from '@reelmark/contract/profiles.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import * as queries from './queries.ts'

export function registerProfiles(app: FastifyInstance): void {
  const { db } = app.deps

  // From the primary: right after signing up or an edit, one's own profile is there.
  mount(app, getProfile, async ({ input: { params }, viewer }) => {
    const profile = await queries.getProfile(db, params.username, viewer?.id ?? null)
    if (profile === null) throw new ApiError('not-found')
    const { settings, ...shown } = profile
    return { ...shown, ...settings }
  })
}
