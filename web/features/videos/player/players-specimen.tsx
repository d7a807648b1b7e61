import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { findPlayerHost, knownPlayerRules, otherPlayerRules } from '@reelmark/contract/player-hosts.ts'
import { useEffect, useState } from 'react'
import { currentTime } from './current-time.ts'
import { useNowPlaying } from './now-playing.ts'
import { Player } from './player.tsx'

/** A public video of each host with rules of its own, and of hosts without messages. */
const samples: readonly [name: string, embedUrl: string][] = [
  ['YouTube', 'https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ'],
  ['Vimeo', 'https://player.vimeo.com/video/1084537'],
  ['Dailymotion', 'https://geo.dailymotion.com/player.html?video=x5e9eog'],
  ['Twitch', 'https://player.twitch.tv/?video=v1234567890&autoplay=false&parent=localhost'],
  ['Twitch clips', 'https://clips.twitch.tv/embed?clip=IncredulousAbstemiousFennelImGlitch&parent=localhost'],
  ['TikTok', 'https://www.tiktok.com/player/v1/6718335390845095173'],
  ['Rutube', 'https://rutube.ru/play/embed/670a0a324732fb991b08962272fade61'],
  ['Streamable', 'https://streamable.com/e/moo'],
  ['Bunny', 'https://iframe.mediadelivery.net/embed/759/eb1c4f77-0cda-46be-b47d-1118ad7c2ffe'],
  ['Internet Archive', 'https://archive.org/embed/BigBuckBunny_124'],
  ['Odysee', 'https://odysee.com/$/embed/@Odysee:8/a:1'],
  ['Bilibili', 'https://player.bilibili.com/player.html?bvid=BV1xx411c7mD&autoplay=0'],
  ['Instagram', 'https://www.instagram.com/p/BsOGulcndj-/embed/'],
  ['Without messages', 'https://www.bitchute.com/embed/UGlrF9o9b-Q/'],
]

/** Shows one player of each kind with its rules and events. Development only. */
export function PlayersSpecimen() {
  return (
    <div className="page py-8">
      <h1 className="font-display text-31 font-bold">Players</h1>
      <Events />
      <ul className="mt-8 grid gap-10 lg:grid-cols-2">
        {samples.map(([name, embedUrl], index) => (
          <li key={name} className="min-w-0">
            <h2 className="mb-2 text-16 font-medium">{name}</h2>
            <Player bookmark={sampleOf(index, name, embedUrl)} title={name} />
            <Rules embedUrl={embedUrl} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Rules({ embedUrl }: { embedUrl: string }) {
  const { messages, start, params, startsBySeeking, shape } = findPlayerHost(embedUrl)
  const rules = {
    messages: messages ?? 'none',
    start: start === undefined ? 'cannot' : `${start}${startsBySeeking ? ', by a message' : ''}`,
    parameters: new URLSearchParams(params).toString() || 'none',
    shape: shape ?? 'landscape',
    ...knownPlayerRules,
  }
  return (
    <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 text-12 text-quiet">
      {Object.entries(rules).map(([name, value]) => (
        <div key={name} className="contents">
          <dt>{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const shownEvents = 8

/** Lists the latest messages that frames sent, and the time of the player that is playing. */
function Events() {
  const playing = useNowPlaying()
  const [events, setEvents] = useState<readonly { id: number; text: string }[]>([])
  useEffect(() => {
    let id = 0
    const onMessage = ({ origin, data, source }: MessageEvent) => {
      if (source === window) return
      const text = `${origin} ${typeof data === 'string' ? data : JSON.stringify(data)}`.slice(0, 200)
      setEvents((before) => [{ id: id++, text }, ...before].slice(0, shownEvents))
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [])
  return (
    <section aria-label="Events" className="mt-4 text-12">
      <p>
        {playing === null
          ? 'Nothing is playing.'
          : `${playing.title}: ${currentTime(playing.bookmark.id) ?? 'no time yet'}`}
      </p>
      <p className="text-quiet">Other hosts: {JSON.stringify(otherPlayerRules)}</p>
      <ul className="mt-2 font-mono text-quiet">
        {events.map(({ id, text }) => (
          <li key={id} className="truncate">
            {text}
          </li>
        ))}
      </ul>
    </section>
  )
}

function sampleOf(index: number, title: string, embedUrl: string): Bookmark {
  const { start, shape } = findPlayerHost(embedUrl)
  const time = '2026-01-01T00:00:00Z'
  return {
    id: index + 1,
    title,
    description: '',
    tags: [],
    created_at: time,
    updated_at: time,
    user: { id: 1, username: 'sample', avatar_url: '/media/default.jpg', is_verified: false },
    video: {
      id: index + 1,
      title,
      description: '',
      tags: [],
      source_url: embedUrl,
      host: new URL(embedUrl).host,
      provider: null,
      embed_url: embedUrl,
      player: 'known',
      start_parameter: start ?? null,
      thumbnail_url: null,
      thumbnail_large_url: null,
      orientation: 'sfw',
      shape: shape ?? 'unknown',
      duration: null,
      width: null,
      height: null,
      likes_count: 0,
      comments_count: 0,
      saves_count: 1,
      status: 'visible',
    },
    access: 'public',
    is_public: true,
    collection: { id: 1, name: 'Samples', access: 'public' },
    channel: null,
    start_seconds: null,
    notes: [],
    embed_page_url: null,
    is_owner: false,
    is_liked: false,
  }
}
