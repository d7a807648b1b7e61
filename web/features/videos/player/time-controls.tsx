/** Controls that play a video from a time: times in texts, and the offer to resume. Loaded after the page is shown. */
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useQuery } from '@tanstack/react-query'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import { Fragment, type ReactNode, useEffect } from 'react'
import { useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { clockDuration } from '../../../ui/duration.ts'
import { positionQuery } from '../watching/queries.ts'
import { requestPlay } from './play-request.ts'

/** `12:30`, `75:00` or `1:02:30`, not as part of a longer number, word or clock time with milliseconds. */
const clockTime = /(?<![\p{L}\d:])(?:(\d{1,2}):([0-5]\d)|(\d{1,3})):([0-5]\d)(?![\p{L}\d]|[:.]\d)/gu

interface TimedTextProps {
  text: string
  /** The bookmark on whose page the text is. */
  bookmark: Pick<Bookmark, 'id' | 'video'>
}

/** Shows text with each time within the video as a button that plays the video from there. */
export function TimedText({ text, bookmark: { id, video } }: TimedTextProps): ReactNode {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(clockTime)) {
    const [shown, hours = '0', hourMinutes, minutes = hourMinutes, seconds] = match
    const time = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    if (video.duration !== null && time >= video.duration) continue
    parts.push(
      <Fragment key={match.index}>
        {text.slice(end, match.index)}
        <button
          type="button"
          aria-label={`Play from ${shown}`}
          className="cursor-pointer text-accent-ink tabular-nums underline underline-offset-4"
          onClick={() => {
            requestPlay({ bookmarkId: id, seconds: time, action: 'link' })
            document.querySelector('.stage')?.scrollIntoView({ block: 'nearest' })
          }}
        >
          {shown}
        </button>
      </Fragment>,
    )
    end = match.index + shown.length
  }
  return parts.length === 0 ? text : [...parts, text.slice(end)]
}

/** Resuming is not offered for positions closer to the end. */
const minSecondsLeft = 10

/** Buttons on top of a video that the viewer did not finish: resume there, or start over. */
export function ResumeOffer({ bookmark: { id, video, start_seconds } }: { bookmark: Bookmark }) {
  const isSignedIn = useSession().status === 'signed-in'
  const { data: position = null } = useQuery({ ...positionQuery(video.id), enabled: isSignedIn })
  const isNearEnd = position !== null && video.duration !== null && position > video.duration - minSecondsLeft
  const seconds = isNearEnd || !isSignedIn ? null : position
  useEffect(() => {
    if (seconds !== null) requestPlay({ bookmarkId: id, seconds, action: 'prepare' })
  }, [id, seconds])
  if (seconds === null) return null
  // A control that loads the player of an unknown host names the host (docs/behaviour.md, Pages and players).
  const from =
    video.player === 'other' && video.embed_url !== null ? ` from ${new URL(video.embed_url).host}` : ''
  return (
    <div className="resume-buttons pointer-events-none absolute inset-x-0 bottom-3 flex flex-wrap justify-center gap-2 px-3 *:pointer-events-auto">
      <Button
        size="sm"
        className="max-w-full"
        onClick={() => requestPlay({ bookmarkId: id, seconds, action: 'play' })}
      >
        <span className="truncate">
          Resume at {clockDuration(seconds)}
          {from}
        </span>
      </Button>
      <Button
        size="sm"
        className="max-w-full"
        onClick={() => requestPlay({ bookmarkId: id, seconds: start_seconds ?? 0, action: 'play' })}
      >
        <RotateCcw className="size-4 shrink-0" />
        <span className="truncate">Start over{from}</span>
      </Button>
    </div>
  )
}
