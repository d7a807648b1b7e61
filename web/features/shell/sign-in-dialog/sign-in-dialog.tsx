import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { ListingItem, ListingPage } from '@reelmark/contract/listing.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useIsAdultCovered } from '../../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../../shared/adult/adult-cover.tsx'
import { type Intent, type IntentAction, storeIntent } from '../../../shared/session/sign-in-intent.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ThumbnailFrame } from '../../../ui/thumbnail-frame.tsx'

/** The title of the dialog, and why an account is needed. */
const texts: Record<IntentAction, { title: string; why: string }> = {
  like: {
    title: 'Log in to like this video',
    why: 'Your likes are saved in your account, so that you find them again.',
  },
  'watch-later': {
    title: 'Log in to watch this later',
    why: 'Watch Later is a private list in your account, on all your devices.',
  },
  collect: {
    title: 'Log in to collect this video',
    why: 'Collections are part of your account. You choose who sees them.',
  },
  comment: { title: 'Log in to comment', why: 'Comments are shown with your username.' },
  'follow-user': {
    title: 'Log in to follow',
    why: 'What the people you follow save appears on your home page.',
  },
  'follow-collection': {
    title: 'Log in to follow this collection',
    why: 'New videos of the collection appear on your home page.',
  },
  'follow-channel': {
    title: 'Log in to follow this channel',
    why: 'New videos of the channel appear on your home page.',
  },
  'follow-tag': {
    title: 'Log in to follow this tag',
    why: 'New videos with the tag appear on your home page.',
  },
}

interface SignInDialogProps {
  open: boolean
  intent: Intent
  onClose: () => void
}

/** Shows a visitor why an account is needed for what they want to do. It is done when they are back, signed in. */
export function SignInDialog({ open, intent, onClose }: SignInDialogProps) {
  const client = useQueryClient()
  const { pathname, searchStr } = useLocation()
  const path = pathname + searchStr
  const { title, why } = texts[intent.action]
  const video = findCachedVideo(client, intent)
  const leave = () => {
    storeIntent({ ...intent, path })
    onClose()
  }
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="flex flex-col gap-4">
        {video !== null && <Picture {...video} />}
        <p className="text-14 text-quiet">
          {why} We'll bring you back to this page{intent.action === 'comment' ? '' : ' and do it for you'}.
        </p>
        <div className="grid gap-2 sm:grid-cols-2">
          <Link
            to="/register"
            search={{ redirect: path }}
            className={buttonClass('accent', 'lg')}
            data-autofocus
            onClick={leave}
          >
            Sign up
          </Link>
          <Link
            to="/login"
            search={{ redirect: path }}
            className={buttonClass('plain', 'lg')}
            onClick={leave}
          >
            Log in
          </Link>
        </div>
      </div>
    </Dialog>
  )
}

interface ShownVideo {
  title: string
  picture: string | null
  orientation: Orientation
}

function Picture({ title, picture, orientation }: ShownVideo) {
  const isCovered = useIsAdultCovered(orientation)
  return (
    <figure className="flex items-center gap-3">
      <ThumbnailFrame
        src={isCovered ? null : picture}
        title={title}
        eager
        className="w-36 shrink-0 rounded-control"
      >
        {isCovered && <AdultCover title={title} />}
      </ThumbnailFrame>
      <figcaption className="line-clamp-3 min-w-0 text-16 font-medium text-ink">{title}</figcaption>
    </figure>
  )
}

/** Returns the video of an intent as the page shows it; null if it concerns no video. */
function findCachedVideo(client: QueryClient, { action, target }: Intent): ShownVideo | null {
  if (action.startsWith('follow')) return null
  const isTarget = ({ id, video_id }: Pick<ListingItem, 'id' | 'video_id'>) =>
    (action === 'collect' ? id : video_id) === target
  for (const [, bookmark] of client.getQueriesData<Bookmark>({ queryKey: ['bookmark'] })) {
    if (bookmark === undefined || !isTarget({ id: bookmark.id, video_id: bookmark.video.id })) continue
    const { title, thumbnail_url, orientation } = bookmark.video
    return { title: bookmark.title || title, picture: thumbnail_url, orientation }
  }
  for (const [, page] of client.getQueriesData<ListingPage>({ queryKey: ['videos'] })) {
    const item = page?.results?.find(isTarget)
    if (item !== undefined)
      return { title: item.title, picture: item.thumbnail_url, orientation: item.orientation }
  }
  return null
}
