import { blockUser, unblockUser } from '@reelmark/contract/blocks.ts'
import { createMute, deleteMute } from '@reelmark/contract/mutes.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

export interface BlockableUser {
  /** Of the user, not of the profile. */
  id: number
  username: string
}

/** Mutes somebody, or no more: `muteId` is the mute that is there. What the site chooses to show is asked for anew. */
export async function setMuted(client: QueryClient, { id }: BlockableUser, muteId: number | null) {
  const created = muteId === null ? await api(createMute, { body: { user_id: id } }) : await endMute(muteId)
  patchCachedProfile(client, id, { mute_id: created?.id ?? null })
  void client.invalidateQueries()
}

/** Null, also where it was gone already: that is what was wanted. */
export async function endMute(id: number): Promise<null> {
  try {
    return await api(deleteMute, { params: { id } })
  } catch (error) {
    if (isCallError(error) && error.status === 404) return null
    throw error
  }
}

/** Blocks somebody, or no more. Either changes what is there to see nearly everywhere. */
export async function setBlocked(client: QueryClient, { id }: BlockableUser, on: boolean): Promise<void> {
  const { is_blocked } = await api(on ? blockUser : unblockUser, { params: { id } })
  patchCachedProfile(client, id, { is_blocked, ...(is_blocked && { is_followed: false }) })
  void client.invalidateQueries()
}

function patchCachedProfile(client: QueryClient, id: number, change: Partial<Profile>): void {
  client.setQueriesData<Profile>({ queryKey: ['profile'] }, (profile) =>
    profile?.user_id === id ? { ...profile, ...change } : profile,
  )
}
