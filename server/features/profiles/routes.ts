import { limits } from '@reelmark/contract/limits.ts'
import { getProfile, type Profile, updateProfile } from '@reelmark/contract/profiles.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../app.ts'
import { mount } from '../../core/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import { mountForm } from '../../core/forms.ts'
import { ownMediaKey } from '../../core/media-store.ts'
import { makeAvatar, PictureError } from '../../core/pictures.ts'
import { reportHeldPerson } from '../moderation/cards.ts'
import { currentRules, screen } from '../screening/cards.ts'
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
      return shown(profile)
    },
    { sameForVisitors: true },
  )

  mountForm(
    app,
    updateProfile,
    async ({ input: { params, body }, viewer, picture }) => {
      const { avatar, ...changes } = body
      const held = screen(await currentRules(db), [{ field: 'bio', text: body.bio }])
      if (held !== null && params.username.toLowerCase() === viewer.username.toLowerCase()) {
        await reportHeldPerson(db, viewer.id, `The bio. ${held}`)
      }
      if (picture === null) {
        const update = avatar === undefined ? changes : { ...changes, avatar_key: null }
        return change(app.deps, params.username, viewer.id, update)
      }
      // Whose it is first: pictures are work.
      if (params.username.toLowerCase() !== viewer.username.toLowerCase()) {
        throw await refusal(app.deps, params.username, viewer.id)
      }
      const avatar_key = await keepAvatar(app.deps, picture)
      try {
        return await change(app.deps, params.username, viewer.id, { ...changes, avatar_key })
      } catch (error) {
        await removeAvatar(app.deps, avatar_key)
        throw error
      }
    },
    { limit: 'profile', most: limits.avatarMax },
  )
}

async function change(
  deps: Deps,
  username: string,
  viewerId: number,
  changes: queries.Changes,
): Promise<Profile> {
  const found = await queries.updateProfile(deps.db, username, viewerId, changes)
  if (found === null) throw await refusal(deps, username, viewerId, changes)
  const { old_avatar_key, ...profile } = found
  if (changes.avatar_key !== undefined && old_avatar_key !== null) await removeAvatar(deps, old_avatar_key)
  return shown(profile)
}

/** Why a profile could not be changed. */
async function refusal(
  { db }: Deps,
  username: string,
  viewerId: number,
  { default_bookmark_collection }: queries.Changes = {},
): Promise<Error> {
  const whose = await queries.findPerson(db, username)
  if (whose === null) return new ApiError('not-found')
  if (whose !== viewerId) return new ApiError('not-allowed')
  return new InvalidFields({
    default_bookmark_collection: [`Invalid pk "${default_bookmark_collection}" - object does not exist.`],
  })
}

const tooManyPixels = 'Image is too large. Maximum: 40 megapixels, 8192 px per side.'

/** @returns the key of the picture, made ours. */
async function keepAvatar({ media }: Deps, bytes: Buffer): Promise<string> {
  try {
    const webp = await makeAvatar(bytes)
    const key = ownMediaKey()
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

function shown({ settings, ...profile }: queries.ProfileRow): Profile {
  return { ...profile, ...settings }
}
