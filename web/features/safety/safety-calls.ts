import { blockUser, unblockUser } from '@reelmark/contract/blocks.ts'
import { isCallError } from '@reelmark/contract/call.ts'
import { mute, unmute } from '@reelmark/contract/mutes.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'

export interface SafetyPerson {
  /** Of the user, not of the profile. */
  id: number
  username: string
}

/** Mutes somebody, or no more: `muteId` is the mute that is there. What the site chooses to show is asked for anew. */
export async function setMuted(client: QueryClient, { id }: SafetyPerson, muteId: number | null) {
  const made = muteId === null ? await api(mute, { body: { user_id: id } }) : await endMute(muteId)
  changeProfile(client, id, { mute_id: made?.id ?? null })
  void client.invalidateQueries()
}

/** Null, also where it was gone already: that is what was wanted. */
export async function endMute(id: number): Promise<null> {
  try {
    return await api(unmute, { params: { id } })
  } catch (error) {
    if (isCallError(error) && error.status === 404) return null
    throw error
  }
}

/** Blocks somebody, or no more. Either changes what is there to see nearly everywhere. */
export async function setBlocked(client: QueryClient, { id }: SafetyPerson, on: boolean): Promise<void> {
  const { is_blocked } = await api(on ? blockUser : unblockUser, { params: { id } })
  changeProfile(client, id, { is_blocked, ...(is_blocked && { is_followed: false }) })
  void client.invalidateQueries()
}

function changeProfile(client: QueryClient, id: number, change: Partial<Profile>): void {
  client.setQueriesData<Profile>({ queryKey: ['profile'] }, (profile) =>
    profile?.user_id === id ? { ...profile, ...change } : profile,
  )
}
