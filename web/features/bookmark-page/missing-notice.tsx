import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ExternalLink from 'lucide-react/icons/external-link'
import { useState } from 'react'
import { formatDate } from '../../ui/format-date.ts'
import { Notice } from '../../ui/notice.tsx'
import { bookmarkTitle } from '../bookmarks/public-api.ts'
import { otherSourcesQuery } from '../listing/public-api.ts'
import { LinkProposals } from './link-proposals.tsx'
import { ReplaceLinkDialog } from './replace-link-dialog.tsx'

const linkClass = 'inline-flex min-h-6 items-center gap-1 text-accent-ink underline underline-offset-2'

/** Explains that a video is gone from its host, and where to look for it. */
export function MissingNotice({ bookmark }: { bookmark: Bookmark }) {
  const { video } = bookmark
  const [isReplacing, setReplacing] = useState(false)
  const { data } = useQuery(otherSourcesQuery(bookmark.id))
  const sources = data?.results ?? []
  const search = new URLSearchParams({ q: `"${bookmarkTitle(bookmark)}" video` })
  return (
    <Notice tone="info" className="w-full">
      <p>
        {video.missing_since ? `Gone since ${formatDate(video.missing_since)}. ` : ''}
        We check again regularly, in case it comes back.
      </p>
      {sources.length > 0 && (
        <>
          <p className="mt-1 font-medium text-ink">The same title and duration, saved from elsewhere:</p>
          <ul>
            {sources.map(({ id, host, user_username }) => (
              <li key={id}>
                <Link to="/bookmarks/$id" params={{ id: String(id) }} className={linkClass}>
                  {host}
                </Link>{' '}
                <span className="text-quiet">saved by {user_username || 'Unknown User'}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {bookmark.is_owner && <LinkProposals bookmark={bookmark} />}
      <p className="flex flex-wrap gap-x-4">
        {bookmark.is_owner && (
          <button
            type="button"
            aria-haspopup="dialog"
            className={linkClass}
            onClick={() => setReplacing(true)}
          >
            Replace the link
          </button>
        )}
        <OutsideLink href={`https://web.archive.org/web/${video.source_url}`}>Wayback Machine</OutsideLink>
        <OutsideLink href={`https://duckduckgo.com/?${search}`}>Search the web</OutsideLink>
      </p>
      {bookmark.is_owner && (
        <ReplaceLinkDialog bookmark={bookmark} open={isReplacing} onClose={() => setReplacing(false)} />
      )}
    </Notice>
  )
}

function OutsideLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={linkClass}>
      {children}
      <ExternalLink className="size-3.5 shrink-0" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  )
}
