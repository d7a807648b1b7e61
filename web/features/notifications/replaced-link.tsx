import { declineLink } from '@reelmark/contract/link-proposals.ts'
import type { Notification } from '@reelmark/contract/notifications.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useApiMutation } from '../../shared/api/use-api-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { toast } from '../../ui/toast.tsx'

interface ReplacedLinkProps {
  link: NonNullable<Notification['replaced_link']>
  linkClass: string
  openHandlers: { onClick: () => void; onAuxClick: (event: MouseEvent) => void }
}

/** Says of which bookmark of the viewer the link was replaced, with both links. */
export function ReplacedLink({ link, linkClass, openHandlers }: ReplacedLinkProps) {
  const { bookmark_id, title, before, after } = link
  return (
    <>
      The link of{' '}
      <Link to="/bookmarks/$id" params={{ id: String(bookmark_id) }} className={linkClass} {...openHandlers}>
        <bdi>{title || 'Untitled Bookmark'}</bdi>
      </Link>{' '}
      was replaced by <OutsideLink url={after} />. Before it was <OutsideLink url={before} />.
    </>
  )
}

function OutsideLink({ url }: { url: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="relative z-10 text-ink underline underline-offset-2 wrap-anywhere"
    >
      {url}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}

/** Moves the viewer's bookmark back to the link that was replaced. */
export function DeclineLink({ id }: { id: number }) {
  const client = useQueryClient()
  const decline = useApiMutation(declineLink, {
    onSuccess() {
      void client.invalidateQueries()
      toast('Returned to the old link.', { tone: 'success' })
    },
  })
  return (
    <div className="relative z-10 mt-2 flex flex-col items-start gap-2">
      <ErrorNotice text={decline.errorText} />
      <Button size="sm" busy={decline.busy} onClick={() => void decline.run({ params: { id } })}>
        Return to the old link
      </Button>
    </div>
  )
}
