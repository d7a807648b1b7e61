import type { ListingItem } from '@reelmark/contract/listing.ts'
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useAdultConsent } from '../../../shared/adult/adult-consent.ts'
import { isApiError } from '../../../shared/errors/api-error.ts'
import { toast } from '../../../ui/toast.tsx'
import { bookmarkQuery, bookmarkTitle } from '../../bookmarks/public-api.ts'
import { requestStart } from '../watching/start-request.ts'
import { markUnplayable } from '../watching/unplayable-videos.ts'
import { getNowPlaying, type NowPlaying, startVideo, stopVideo } from './now-playing.ts'

type NextItem = Pick<ListingItem, 'id' | 'title'>

/**
 * Returns a function that plays the first of some bookmarks in the mini-player; without one the player closes. Bookmarks that
 * no longer exist are skipped. One that could not be loaded, or whose player needs a click on its own page, is offered instead.
 */
export function usePlayNext(playing: NowPlaying): (items: readonly NextItem[]) => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  const isAdultAllowed = useAdultConsent()

  function offer({ id, title }: NextItem): void {
    stopVideo()
    toast(`Next: ${title || 'Untitled Bookmark'}`, {
      action: {
        label: 'Open',
        run: () => {
          requestStart(id)
          void router.navigate({
            to: '/bookmarks/$id',
            params: { id: String(id) },
            search: playing.context,
          })
        },
      },
    })
  }

  return async (items) => {
    for (const item of items) {
      const bookmark = await client
        .ensureQueryData(bookmarkQuery(item.id))
        .catch((error: unknown) =>
          isApiError(error, 'not-found') ? ('not found' as const) : ('not loaded' as const),
        )
      // The viewer closed the player, signed out or started another video in the meantime.
      if (getNowPlaying() !== playing) return
      if (bookmark === 'not found') {
        markUnplayable(item.id)
        continue
      }
      if (bookmark === 'not loaded') return offer(item)
      const { embed_url: embedUrl, player, orientation } = bookmark.video
      if (embedUrl === null || player !== 'known' || (isAdult(orientation) && !isAdultAllowed))
        return offer(item)
      const startSeconds = bookmark.start_seconds ?? 0
      return startVideo({ ...playing, bookmark, title: bookmarkTitle(bookmark), embedUrl, startSeconds })
    }
    stopVideo()
  }
}
