import { toggleWatchLater } from '@reelmark/contract/collect.ts'
import { followChannel, followCollection, followTag } from '@reelmark/contract/followed-lists.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { getLikeStatus, toggleLike } from '@reelmark/contract/likes.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { useRouter } from '@tanstack/react-router'
import { api } from '../../../shared/api/api.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import type { Intent } from '../../../shared/session/sign-in-intent.ts'
import { toast } from '../../../ui/toast.tsx'
import { collectAtOnce } from '../../bookmarks/public-api.ts'
import { channelQuery, collectionQuery } from '../../collections/public-api.ts'

/** Does what a visitor wanted to do before they signed in, and says so. */
export async function completeIntent(
  { action, target }: Intent,
  client: QueryClient,
  router: ReturnType<typeof useRouter>,
): Promise<void> {
  const params = { id: Number(target) }
  try {
    if (action === 'comment') return focusComment()
    if (action === 'collect') return await collectAtOnce(params.id, client, router)
    if (action === 'like') {
      const { is_liked } = await api(getLikeStatus, { params })
      if (!is_liked) await api(toggleLike, { params })
      toast('Liked.', { tone: 'success' })
    } else if (action === 'watch-later') {
      const { is_in_watch_later } = await api(toggleWatchLater, { params })
      // It was in Watch Later already.
      if (!is_in_watch_later) await api(toggleWatchLater, { params })
      toast('Added to Watch Later.', { tone: 'success' })
    } else {
      const status = await follow(action, target)
      toast('Following.', { tone: 'success' })
      await client.invalidateQueries()
      // What visitors see is cached for a second, so that the page may have got the number of followers from before.
      if (action === 'follow-collection' || action === 'follow-channel') {
        const { queryKey } = (action === 'follow-collection' ? collectionQuery : channelQuery)(params.id)
        client.setQueryData<object>(queryKey, (page) => page && { ...page, ...status })
      }
      if (action === 'follow-user') {
        client.setQueriesData<Profile>({ queryKey: ['profile'] }, (profile) =>
          profile?.user_id === params.id ? { ...profile, ...status } : profile,
        )
      }
      return
    }
    await client.invalidateQueries()
  } catch (error) {
    toast(errorMessage(error, "Couldn't do that. Try again."), { tone: 'danger' })
  }
}

function follow(action: Intent['action'], target: Intent['target']): Promise<object> {
  const params = { id: Number(target) }
  if (action === 'follow-user') return api(followUser, { params })
  if (action === 'follow-collection') return api(followCollection, { params })
  if (action === 'follow-channel') return api(followChannel, { params })
  return api(followTag, { body: { tag: String(target) } })
}

/** Focuses the field for a new comment once the page shows it. */
function focusComment(): void {
  const find = () => document.querySelector<HTMLElement>('#comments textarea')
  const field = find()
  if (field !== null) {
    field.focus()
    return
  }
  const observer = new MutationObserver(() => {
    const shown = find()
    if (shown === null) return
    observer.disconnect()
    shown.focus()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), 10_000)
}
