/** Requests of the moderation dashboard, which detect when the viewer is no longer a moderator. */
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { api } from '../../shared/api/api.ts'
import { refreshUser } from '../../shared/session/session.ts'
import { getSession } from '../../shared/session/session-store.ts'
import { createListeners } from '../../ui/create-listeners.ts'

const { subscribe, notify } = createListeners()

/** Calls `listener` when a request was refused because the viewer is no longer a moderator. */
export const subscribeToDemotion = subscribe

/**
 * Calls `api`. After a 403 response it fetches the viewer again, and notifies the dashboard if they are no longer a
 * moderator.
 */
export async function moderatorApi<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  signal?: AbortSignal,
): Promise<Reply<E>> {
  try {
    return await api(endpoint, input as never, signal === undefined ? {} : { signal })
  } catch (error) {
    if (isCallError(error) && error.status === 403) await notifyIfDemoted()
    throw error
  }
}

async function notifyIfDemoted(): Promise<void> {
  await refreshUser()
  if (!getSession().isModerator) notify()
}
