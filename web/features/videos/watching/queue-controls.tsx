import type { ListingItem } from '@reelmark/contract/listing.ts'
import { useRouter } from '@tanstack/react-router'
import Repeat from 'lucide-react/icons/repeat'
import Repeat1 from 'lucide-react/icons/repeat-1'
import Shuffle from 'lucide-react/icons/shuffle'
import { IconButton } from '../../../ui/button.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { setAutoplayNext, useAutoplayNext } from './autoplay-next.ts'
import { highestSeed, type PlayContext } from './play-queue.ts'
import type { QueuePlayback } from './use-queue-playback.ts'

const repeats = {
  off: { label: 'Repeat: off', next: 'all' },
  all: { label: 'Repeat: all', next: 'one' },
  one: { label: 'Repeat: this video', next: undefined },
} as const

/** Autoplay, shuffle and repeat of a play queue. Loaded after the page is shown. */
export function QueueControls({
  playback,
  current: { id: bookmarkId, video_id: videoId },
}: {
  playback: QueuePlayback
  current: Pick<ListingItem, 'id' | 'video_id'>
}) {
  const autoplays = useAutoplayNext()
  const { context } = playback
  const router = useRouter()
  const change = (changes: Pick<PlayContext, 'shuffle' | 'shuffle_from' | 'repeat'>) =>
    void router.navigate({
      ...playback.linkTo({ id: bookmarkId }),
      search: { ...context, ...changes },
      resetScroll: false,
    })
  const isShuffled = context.shuffle !== undefined
  const { label, next } = repeats[context.repeat ?? 'off']
  const RepeatIcon = context.repeat === 'one' ? Repeat1 : Repeat
  const stateClass = (isOn: boolean) => (isOn ? 'text-accent-ink!' : '')
  return (
    <div className="flex items-center gap-1 border-t border-line pr-2 pl-4">
      <Switch
        label="Autoplay"
        className="mr-auto gap-3! py-1!"
        checked={autoplays}
        onChange={(event) => setAutoplayNext(event.target.checked)}
      />
      <IconButton
        label="Shuffle"
        aria-pressed={isShuffled}
        className={stateClass(isShuffled)}
        onClick={() =>
          change({
            shuffle: isShuffled ? undefined : Math.floor(Math.random() * highestSeed),
            shuffle_from: isShuffled ? undefined : videoId,
          })
        }
      >
        <Shuffle className="size-5" />
      </IconButton>
      <IconButton
        label={label}
        className={stateClass(context.repeat !== undefined)}
        onClick={() => change({ repeat: next })}
      >
        <RepeatIcon className="size-5" />
      </IconButton>
    </div>
  )
}
