import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { declineLink } from '@reelmark/contract/link-proposals.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useApiMutation } from '../../shared/api/use-api-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { formatDate } from '../../ui/format-date.ts'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { showMovedBookmark } from './show-moved-bookmark.ts'

interface ReplacedNoticeProps {
  bookmark: Bookmark
  link: NonNullable<Bookmark['replaced_link']>
}

/** Tells the owner that the link was replaced for everyone, and lets them return to the old one. */
export function ReplacedNotice({ bookmark, link }: ReplacedNoticeProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const decline = useApiMutation(declineLink, {
    onSuccess(returned) {
      showMovedBookmark(client, bookmark, returned)
      toast('Returned to the old link.', { tone: 'success' })
      if (returned.id !== bookmark.id) {
        void navigate({ to: '/bookmarks/$id', params: { id: `${returned.id}` }, replace: true })
      }
    },
  })
  return (
    <Notice tone="info" className="w-full">
      <p className="wrap-anywhere">
        The link of this video was replaced for everyone who saved it. You can return to the old one until{' '}
        {formatDate(link.until)}:{' '}
        <a
          href={link.source_url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="text-accent-ink underline underline-offset-2"
        >
          {link.source_url}
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      </p>
      <ErrorNotice text={decline.errorText} />
      <Button
        size="sm"
        className="mt-1 self-start"
        busy={decline.busy}
        onClick={() => void decline.run({ params: { id: bookmark.id } })}
      >
        Return to the old link
      </Button>
    </Notice>
  )
}
