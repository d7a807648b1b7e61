import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Flag from 'lucide-react/icons/flag'
import { useSession } from '../../shared/session/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { otherSourcesQuery } from '../listing/public-api.ts'
import { useReport } from '../moderation/public-api.ts'

/** What is offered for a player that fails: another source of the same work, and a report with the reason selected. */
export function PlayerProblemActions({ bookmark, title }: { bookmark: Bookmark; title: string }) {
  const isSignedIn = useSession().status === 'signed-in'
  const { data } = useQuery(otherSourcesQuery(bookmark.id))
  const source = data?.results[0]
  const { item, dialog } = useReport({
    kind: 'video',
    id: bookmark.video.id,
    bookmarkId: bookmark.id,
    reportType: 'broken_embed',
    title: 'Report Video/Bookmark',
    name: title,
  })
  return (
    <>
      {source !== undefined && (
        <Link
          to="/bookmarks/$id"
          params={{ id: String(source.id) }}
          className={buttonClass('plain', 'sm', 'max-w-full')}
        >
          <span className="truncate">Play from {source.host}</span>
        </Link>
      )}
      {isSignedIn && (
        <Button size="sm" aria-haspopup="dialog" onClick={item.onSelect}>
          <Flag className="size-4" />
          Report broken link
        </Button>
      )}
      {dialog}
    </>
  )
}
