import { act, cleanup, render, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { type EmbeddedPlayer, embedPagePlayer, findKnownPlayer } from './embedded-players.ts'
import { usePlayerState } from './use-player-state.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const embedPage = { origin: 'https://reelmark.example' }

const messages: [
  address: string,
  expectedQuery: string | null,
  endedMessage: unknown,
  otherMessage: unknown,
][] = [
  [
    'https://www.youtube-nocookie.com/embed/eRsGyueVLvQ',
    'autoplay=1&enablejsapi=1&origin=https%3A%2F%2Freelmark.example',
    '{"event":"onStateChange","info":0,"id":1}',
    '{"event":"onStateChange","info":2,"id":1}',
  ],
  [
    'https://www.youtube-nocookie.com/embed/eRsGyueVLvQ',
    'autoplay=1&enablejsapi=1&origin=https%3A%2F%2Freelmark.example',
    '{"event":"infoDelivery","info":{"currentTime":888,"playerState":0}}',
    '{"event":"infoDelivery","info":{"currentTime":0}}',
  ],
  [
    'https://player.vimeo.com/video/1084537?h=abcdef01',
    'h=abcdef01&autoplay=1',
    { event: 'ended', data: { percent: 1 } },
    { event: 'timeupdate', data: {} },
  ],
  [
    'https://geo.dailymotion.com/player.html?video=x8abcd',
    'video=x8abcd&autoplay=1&api=postMessage',
    'event=video_end',
    'event=ad_end&time=3',
  ],
  [
    'https://player.twitch.tv/?video=v123456&autoplay=false&parent=reelmark.example',
    'video=v123456&autoplay=true&parent=reelmark.example',
    { namespace: 'twitch-embed', eventName: 'ended', params: null },
    { namespace: 'other', eventName: 'ended' },
  ],
  [
    'https://player.twitch.tv/?video=v123456&autoplay=false',
    'video=v123456&autoplay=true',
    { namespace: 'twitch-embed-player-proxy', eventName: 'UPDATE_STATE', params: { playback: 'Ended' } },
    { namespace: 'twitch-embed-player-proxy', eventName: 'UPDATE_STATE', params: { playback: 'Idle' } },
  ],
  [
    'https://www.tiktok.com/player/v1/7000000000000000000',
    'autoplay=1',
    { type: 'onStateChange', value: 0, 'x-tiktok-player': true },
    { type: 'onStateChange', value: 0 },
  ],
  [
    'https://rutube.ru/play/embed/670a0a324732fb991b08962272fade61',
    null,
    '{"type":"player:playComplete","data":{}}',
    '{"type":"player:changeState","data":{"state":"pause"}}',
  ],
  [
    'https://streamable.com/e/abc123',
    'autoplay=1',
    '{"context":"player.js","event":"ended"}',
    '{"context":"player.js","event":"ready"}',
  ],
]

test.each(messages)(
  '%s reports the end of the video',
  (address, expectedQuery, endedMessage, otherMessage) => {
    const player = findKnownPlayer(address, embedPage)
    const url = new URL(player.src)
    expect(url.search).toBe(expectedQuery === null ? '' : `?${expectedQuery}`)
    expect(url.pathname).toBe(new URL(address).pathname)
    expect(player.origin).toBe(url.origin)
    expect(player.read(endedMessage)).toBe('ended')
    expect(player.read(otherMessage)).toBeNull()
  },
)

test.each([null, undefined, 0, 'x', '{', '[]', 'null', '{"info":null}', [], { event: {} }, 'a'.repeat(1e5)])(
  'an invalid message (%j) is ignored',
  (message) => {
    for (const [address] of messages) expect(findKnownPlayer(address, embedPage).read(message)).toBeNull()
    expect(embedPagePlayer('/embed/7').read(message)).toBeNull()
  },
)

test('a host without a protocol is shown unchanged and not subscribed to', () => {
  const address = 'https://www.bitchute.com/embed/abc/'
  expect(findKnownPlayer(address, embedPage)).toMatchObject({
    src: address,
    origin: null,
    subscribeMessages: [],
  })
})

function TestFrame({ player }: { player: EmbeddedPlayer }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [states, setStates] = useState<string[]>([])
  usePlayerState(frame, player, (state) => setStates([...states, state]))
  return (
    <>
      <iframe ref={frame} title="Player" data-loaded="" />
      <output>{states.join(' ')}</output>
    </>
  )
}

const postPlayerMessage = (data: unknown, origin: string, source: unknown) =>
  act(() => window.dispatchEvent(new MessageEvent('message', { data, origin, source: source as Window })))

test('messages from other windows or origins are ignored', () => {
  const player = findKnownPlayer('https://player.vimeo.com/video/1084537', embedPage)
  render(<TestFrame player={player} />)
  const frame = screen.getByTitle<HTMLIFrameElement>('Player').contentWindow
  const endedMessage = { event: 'ended' }
  postPlayerMessage(endedMessage, 'https://player.vimeo.com', window)
  postPlayerMessage(endedMessage, 'https://evil.example', frame)
  postPlayerMessage(endedMessage, 'null', frame)
  postPlayerMessage(endedMessage, 'https://player.vimeo.com', null)
  expect(screen.getByRole('status').textContent).toBe('')
  postPlayerMessage(endedMessage, 'https://player.vimeo.com', frame)
  postPlayerMessage(endedMessage, 'https://player.vimeo.com', frame)
  expect(screen.getByRole('status').textContent).toBe('ended')
  postPlayerMessage({ event: 'play' }, 'https://player.vimeo.com', frame)
  postPlayerMessage(endedMessage, 'https://player.vimeo.com', frame)
  expect(screen.getByRole('status').textContent).toBe('ended playing ended')
})

test('a player is sent subscriptions until it responds, at its own origin only', () => {
  vi.useFakeTimers()
  render(<TestFrame player={findKnownPlayer('https://player.vimeo.com/video/1084537', embedPage)} />)
  const frame = screen.getByTitle<HTMLIFrameElement>('Player').contentWindow as Window
  const post = vi.spyOn(frame, 'postMessage').mockImplementation(() => undefined)
  act(() => vi.advanceTimersByTime(1_000))
  expect(post).toHaveBeenCalledWith(
    { method: 'addEventListener', value: 'ended' },
    'https://player.vimeo.com',
  )
  const callsBefore = post.mock.calls.length
  postPlayerMessage({ event: 'play' }, 'https://player.vimeo.com', frame)
  act(() => vi.advanceTimersByTime(60_000))
  expect(post).toHaveBeenCalledTimes(callsBefore)
})
