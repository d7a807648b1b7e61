import { getPlayStart } from '@reelmark/contract/listing.ts'
import type { useRouter } from '@tanstack/react-router'
import { api } from '../../../shared/api/api.ts'
import { type PlayContext, playedList } from './play-queue.ts'
import { requestStart } from './start-request.ts'

/**
 * Returns the bookmark with which a list is played: the first that the viewer has not watched, or the first of all.
 * @param fallback what is played if the server does not answer
 */
export async function findStart(
  context: PlayContext,
  fallback: number,
  { fromBeginning = false } = {},
): Promise<number> {
  const list = playedList(context)
  if (list === null) return fallback
  const query = { ...list, ...(fromBeginning ? { from_beginning: true } : {}) }
  const start = await api(getPlayStart, { query }).catch(() => null)
  return start?.bookmark_id ?? fallback
}

/** Opens the page of the bookmark with which a list is played, and plays it there. */
export async function startPlaying(
  router: ReturnType<typeof useRouter>,
  context: PlayContext,
  fallback: number,
): Promise<void> {
  const id = await findStart(context, fallback)
  requestStart(id)
  await router.navigate({ to: '/bookmarks/$id', params: { id: String(id) }, search: context })
}
