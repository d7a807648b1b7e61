import { getProfile, type Profile, updateProfile } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../core/deps.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { mountForm } from '../../../core/http/forms.ts'
import { PictureError, processAvatar } from '../../../core/media/process.ts'
import { randomMediaKey } from '../../../core/media/store.ts'
import { currentRules, reportHeldUser, screenContent } from '../../moderation/public-api.ts'
import * as queries from './queries.ts'

export function registerProfiles(app: FastifyInstance): void {
  const { db } = app.deps

  // From the primary: right after signing up or an edit, one's own profile is there.
  mount(
    app,
    getProfile,
    async ({ input: { params }, viewer }) => {
      const profile = await queries.getProfile(db, params.username, viewer)
      if (profile === null) throw new ApiError('not-found')
      return toProfile(profile)
    },
    { cacheForVisitors: true },
  )

  mountForm(
    app,
    updateProfile,
    async ({ input: { params, body }, viewer, picture }) => {
      const { avatar, ...changes } = body
      const held = screenContent(await currentRules(db), [{ field: 'bio', text: body.bio }])
      if (held !== null && params.username.toLowerCase() === viewer.username.toLowerCase()) {
        await reportHeldUser(db, viewer.id, `The bio. ${held}`)
      }
      if (picture === null) {
        const update = avatar === undefined ? changes : { ...changes, avatar_key: null }
        return applyChanges(app.deps, params.username, viewer.id, update)
      }
      // Whose it is first: pictures are work.
      if (params.username.toLowerCase() !== viewer.username.toLowerCase()) {
        throw await updateError(app.deps, params.username, viewer.id)
      }
      const avatar_key = await storeAvatar(app.deps, picture)
      try {
        return await applyChanges(app.deps, params.username, viewer.id, { ...changes, avatar_key })
      } catch (error) {
        await removeAvatar(app.deps, avatar_key)
        throw error
      }
    },
    { limit: 'profile', maxBytes: limits.avatarMax },
  )
}

async function applyChanges(
  deps: Deps,
  username: string,
  viewerId: number,
  changes: queries.ProfileChanges,
): Promise<Profile> {
  const found = await queries.updateProfile(deps.db, username, viewerId, changes)
  if (found === null) throw await updateError(deps, username, viewerId, changes)
  const { old_avatar_key, ...profile } = found
  if (changes.avatar_key !== undefined && old_avatar_key !== null) await removeAvatar(deps, old_avatar_key)
  return toProfile(profile)
}

/** Why a profile could not be changed. */
async function updateError(
  { db }: Deps,
  username: string,
  viewerId: number,
  { default_bookmark_collection }: queries.ProfileChanges = {},
): Promise<Error> {
  const priority = await queries.findUserByName(db, username)
  if (priority === null) return new ApiError('not-found')
  if (priority !== viewerId) return new ApiError('forbidden')
  return new InvalidFields({
    default_bookmark_collection: [`Invalid pk "${default_bookmark_collection}" - object does not exist.`],
  })
}

const tooManyPixels = 'Image is too large. Maximum: 40 megapixels, 8192 px per side.'

/** @returns the key of the picture, made ours. */
async function storeAvatar({ media }: Deps, bytes: Buffer): Promise<string> {
  try {
    const webp = await processAvatar(bytes)
    const key = randomMediaKey()
    await media.put(key, webp)
    return key
  } catch (error) {
    if (error instanceof PictureError) {
      const text = error.reason === 'too-large' ? tooManyPixels : error.message
      throw new InvalidFields({ avatar: [text] })
    }
    throw error
  }
}

/** Nobody else has this picture. One that could not be removed is left lying; that is no reason to fail. */
async function removeAvatar({ media, log }: Deps, key: string): Promise<void> {
  await media
    .delete(key)
    .catch((error: unknown) => log.warn({ err: error, key }, 'an old picture could not be removed'))
}

function toProfile({ settings, ...profile }: queries.ProfileRow): Profile {
  return { ...profile, ...settings }
}
