import { getProfile, type Profile, searchProfiles, updateProfile } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../core/deps.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { mountForm } from '../../../core/http/forms.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { dependOn } from '../../../core/http/visitor-cache.ts'
import { PictureError, processAvatar } from '../../../core/media/process.ts'
import { createMediaKey } from '../../../core/media/store.ts'
import { isOwnName } from '../../../shared/usernames.ts'
import { currentRules, reportHeldUser, screenContent } from '../../moderation/public-api.ts'
import * as queries from './queries.ts'
import { searchProfiles as findProfiles } from './search-queries.ts'
import { syncOwnerName } from './sync-owner-name.ts'
import { createViewerPartLoader } from './viewer-part.ts'

export function registerProfiles(app: FastifyInstance): void {
  const { db } = app.deps
  const readViewerPart = createViewerPartLoader(app.deps)

  mount(
    app,
    getProfile,
    async ({ input: { params }, readDb, viewer }) => {
      const profile = await queries.getProfile(readDb, params.username, viewer)
      if (profile === null) throw new ApiError('not-found')
      dependOn([`user:${profile.id}`])
      return toProfile(profile)
    },
    {
      cacheForVisitors: true,
      personalize: {
        isOfViewer: ({ input: { params }, viewer }) => isOwnName(params.username, viewer),
        isShared: (profile) => !(profile as ProfileReply).shares_more_with_members,
        addOwn: async (profile, { viewer }) => ({
          ...profile,
          ...(await readViewerPart(profile, viewer.id)),
        }),
      },
    },
  )

  mount(
    app,
    searchProfiles,
    async ({ input, readDb, viewer }) => {
      const request = { text: input.query.q, viewer, ...offsetOf(input.query) }
      const found = await findProfiles(readDb, request)
      dependOn(['listing', ...found.results.map(({ id }) => `user:${id}` as const)])
      return pageReply(searchProfiles, input, found.count, found.results)
    },
    { cacheForVisitors: true },
  )

  mountForm(
    app,
    updateProfile,
    async ({ input: { params, body }, viewer, picture }) => {
      const { avatar, ...changes } = body
      const holdReason = screenContent(await currentRules(db), [{ field: 'bio', text: body.bio }])
      if (holdReason !== null && isOwnName(params.username, viewer)) {
        await reportHeldUser(db, viewer.id, `The bio. ${holdReason}`)
      }
      if (picture === null) {
        const update = avatar === undefined ? changes : { ...changes, avatar_key: null }
        return applyChanges(app.deps, params.username, viewer.id, update)
      }
      // The owner is checked first, because processing a picture is expensive.
      if (!isOwnName(params.username, viewer)) {
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
  const updated = await queries.updateProfile(deps, username, viewerId, changes)
  if (updated === null) throw await updateError(deps, username, viewerId, changes)
  const { old_avatar_key, ...profile } = updated
  if (changes.avatar_key !== undefined && old_avatar_key !== null) await removeAvatar(deps, old_avatar_key)
  // Responds only after searches by the user's name reflect the change.
  if (changes.profile_visibility !== undefined) await syncOwnerName(deps.db, viewerId)
  return toProfile(profile)
}

/** Returns the error for a profile that could not be changed. */
async function updateError(
  { db }: Deps,
  username: string,
  viewerId: number,
  { default_bookmark_collection }: queries.ProfileChanges = {},
): Promise<Error> {
  const ownerId = await queries.findUserByName(db, username)
  if (ownerId === null) return new ApiError('not-found')
  if (ownerId !== viewerId) return new ApiError('forbidden')
  return new InvalidFields({
    default_bookmark_collection: [`Invalid pk "${default_bookmark_collection}" - object does not exist.`],
  })
}

const tooManyPixels = 'Image is too large. Maximum: 40 megapixels, 8192 px per side.'

/** Processes and stores an avatar. Returns its media key. @throws InvalidFields if the picture is not accepted */
async function storeAvatar({ media }: Deps, bytes: Buffer): Promise<string> {
  try {
    const webp = await processAvatar(bytes)
    const key = createMediaKey()
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

/** Deletes the file of an avatar, which no other user has. A failure is only logged, since the file does no harm. */
async function removeAvatar({ media, log }: Deps, key: string): Promise<void> {
  await media
    .delete(key)
    .catch((error: unknown) => log.warn({ err: error, key }, 'an old avatar could not be deleted'))
}

/** A profile as it is cached. The response does not contain what the schema does not name. */
type ProfileReply = Profile & Pick<queries.ProfileRow, 'shares_more_with_members'>

function toProfile({ settings, ...profile }: queries.ProfileRow): ProfileReply {
  return { ...profile, ...settings }
}
