import { getProfile, type Profile, updateProfile } from '@reelmark/contract/profiles.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import * as queries from './queries.ts'

export function registerProfiles(app: FastifyInstance): void {
  const { db } = app.deps

  // From the primary: right after signing up or an edit, one's own profile is there.
  mount(app, getProfile, async ({ input: { params }, viewer }) => {
    const profile = await queries.getProfile(db, params.username, viewer)
    if (profile === null) throw new ApiError('not-found')
    return shown(profile)
  })

  mount(
    app,
    updateProfile,
    async ({ input: { params, body }, viewer }) => {
      const profile = await queries.updateProfile(db, params.username, viewer.id, body)
      if (profile !== null) return shown(profile)
      const whose = await queries.findPerson(db, params.username)
      if (whose === null) throw new ApiError('not-found')
      if (whose !== viewer.id) throw new ApiError('not-allowed')
      throw new InvalidFields({
        default_bookmark_collection: [
          `Invalid pk "${body.default_bookmark_collection}" - object does not exist.`,
        ],
      })
    },
    { limit: { name: 'profile', tokens: 120, seconds: 3600 } },
  )
}

function shown({ settings, ...profile }: queries.ProfileRow): Profile {
  return { ...profile, ...settings }
}
