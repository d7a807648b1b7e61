import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import Flag from 'lucide-react/icons/flag'
import Globe from 'lucide-react/icons/globe'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import Users from 'lucide-react/icons/users'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { savesByUrlQuery, useTrashBookmark } from '../bookmarks/public-api.ts'
import { stopVideo, TheatreButton } from '../videos/public-api.ts'
import type { OpenDialog } from './bookmark-dialogs.tsx'

interface MoreActionsProps {
  bookmark: Bookmark
  /** Whether the actions that wide windows show in the row are in the menu, too. */
  hasPhoneItems: boolean
  isReported: boolean
  open: (dialog: OpenDialog) => void
}

const phoneOnly = 'sm:hidden'

/**
 * The end of the row of actions: theatre mode, and a menu with the owner's actions and, on phones, the actions that do not fit
 * into the row.
 */
export function MoreActions({ bookmark, hasPhoneItems, isReported, open }: MoreActionsProps) {
  const { remove } = useTrashBookmark(bookmark)
  const router = useRouter()
  const publicId = usePublicBookmarkId(bookmark)
  const items: MenuItem[] = []
  if (bookmark.is_owner) {
    items.push({ label: 'Edit', icon: <Pencil />, onSelect: () => open('edit') })
    if (publicId !== null) {
      items.push({
        label: 'Public page of this video',
        icon: <Globe />,
        onSelect: () => router.history.push(`/bookmarks/${publicId}`),
      })
    }
    items.push({
      label: 'Delete',
      icon: <Trash2 />,
      danger: true,
      onSelect: () => {
        stopVideo()
        void remove()
      },
    })
  }
  if (hasPhoneItems) {
    items.push({
      label: 'Collectors',
      icon: <Users />,
      className: phoneOnly,
      onSelect: () => open('collectors'),
    })
    if (!isReported)
      items.push({ label: 'Report', icon: <Flag />, className: phoneOnly, onSelect: () => open('report') })
  }
  return (
    <>
      <TheatreButton />
      {items.length > 0 && (
        <Menu
          label="More actions"
          items={items}
          className={`max-sm:h-13! max-sm:w-full! ${bookmark.is_owner ? '' : phoneOnly}`}
        />
      )}
    </>
  )
}

/**
 * Returns a public bookmark of the video of the viewer's private bookmark: their own one, otherwise that of another user whom
 * they may see. Returns null for other bookmarks, and for a video without a public bookmark.
 */
function usePublicBookmarkId({ is_owner, is_public, video }: Bookmark): number | null {
  const isPrivateCopy = is_owner && !is_public && video.saves_count > 0
  const { data } = useQuery({ ...savesByUrlQuery(video.source_url), enabled: isPrivateCopy })
  if (!isPrivateCopy || data === undefined) return null
  const own = data.bookmarks.find((saved) => saved.is_public)
  return own?.id ?? data.others?.bookmark_id ?? null
}
