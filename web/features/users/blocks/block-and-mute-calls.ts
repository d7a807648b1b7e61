import { blockUser, unblockUser } from '@reelmark/contract/blocks.ts'
import { createMute, deleteMute } from '@reelmark/contract/mutes.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

export interface BlockableUser {
  /** The id of the user, not of the profile. */
  id: number
  username: string
}

/** Mutes a user, or ends the mute if `muteId` is given. Listings are fetched again. */
export async function setMuted(client: QueryClient, { id }: BlockableUser, muteId: number | null) {
  const created = muteId === null ? await api(createMute, { body: { user_id: id } }) : await endMute(muteId)
  patchCachedProfile(client, id, { mute_id: created?.id ?? null })
  void client.invalidateQueries()
}

/** Ends a mute. Returns null, also if the mute no longer existed. */
export async function endMute(id: number): Promise<null> {
  try {
    return await api(deleteMute, { params: { id } })
  } catch (error) {
    if (isCallError(error) && error.status === 404) return null
    throw error
  }
}

/** Blocks or unblocks a user and fetches all data again, because either changes most of it. */
export async function setBlocked(
  client: QueryClient,
  { id }: BlockableUser,
  blocked: boolean,
): Promise<void> {
  const { is_blocked } = await api(blocked ? blockUser : unblockUser, { params: { id } })
  patchCachedProfile(client, id, { is_blocked, ...(is_blocked && { is_followed: false }) })
  void client.invalidateQueries()
}

function patchCachedProfile(client: QueryClient, id: number, changes: Partial<Profile>): void {
  client.setQueriesData<Profile>({ queryKey: ['profile'] }, (profile) =>
    profile?.user_id === id ? { ...profile, ...changes } : profile,
  )
}
