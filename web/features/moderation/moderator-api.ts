/** Calls of the dashboard, which notice that somebody moderates no more. */
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { api } from '../../shared/api/api.ts'
import { refreshUser } from '../../shared/session/session.ts'
import { getSession } from '../../shared/session/session-store.ts'
import { createListeners } from '../../ui/create-listeners.ts'

const { subscribe, notify } = createListeners()

/** Calls back when a call was refused because whoever made it does not moderate any more. */
export const subscribeToDemotion = subscribe

/** As `api`. After a 403 who is signed in is asked for again, and the open dashboard told where they moderate no more. */
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
