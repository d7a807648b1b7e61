import type { PlayQueue } from '@reelmark/contract/listing.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import SkipForward from 'lucide-react/icons/skip-forward'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { type PlayContext, playedList } from './play-queue.ts'
import { startPlaying } from './start-playing.ts'

/** Leads from a bookmark of a play queue that does not exist any more to the next one, or back into the list. */
export function SkipMissing({ id, context }: { id: number; context: PlayContext }) {
  const client = useQueryClient()
  const router = useRouter()
  const list = playedList(context)
  const next = client
    .getQueriesData<PlayQueue>({ queryKey: ['queue', list] })
    .map(([, queue]) => {
      const index = queue?.results.findIndex((item) => item.id === id) ?? -1
      return index === -1 ? undefined : queue?.results[index + 1]
    })
    .find((item) => item !== undefined)
  const link =
    next === undefined
      ? null
      : ({ to: '/bookmarks/$id', params: { id: String(next.id) }, search: context, replace: true } as const)
  const restart = () => void startPlaying(router, context, id)
  useShortcuts({ n: () => (link === null ? restart() : void router.navigate(link)) })
  if (list === null) return null
  if (link === null || next === undefined) {
    return (
      <Button tone="accent" onClick={restart}>
        <SkipForward className="size-4 shrink-0" />
        Continue with the list
      </Button>
    )
  }
  return (
    <Link {...link} className={buttonClass('accent', 'md', 'max-w-full')}>
      <SkipForward className="size-4 shrink-0" />
      <span className="truncate">Skip to {next.title || 'Untitled Bookmark'}</span>
    </Link>
  )
}
