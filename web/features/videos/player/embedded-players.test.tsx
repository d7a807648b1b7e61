import { act, cleanup, render, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { type EmbeddedPlayer, embedPagePlayer, findKnownPlayer } from './embedded-players.ts'
import { withStartTime } from './start-time.ts'
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

const times: [
  address: string,
  timeMessage: unknown,
  otherMessage: unknown,
  seekMessages: unknown[] | null,
][] = [
  [
    'https://www.youtube-nocookie.com/embed/eRsGyueVLvQ',
    '{"event":"infoDelivery","info":{"currentTime":90.5}}',
    '{"event":"onStateChange","info":{"currentTime":90.5}}',
    [
      '{"event":"command","func":"seekTo","args":[754,true],"id":1,"channel":"widget"}',
      '{"event":"command","func":"playVideo","args":[],"id":1,"channel":"widget"}',
    ],
  ],
  [
    'https://player.vimeo.com/video/1084537',
    '{"event":"timeupdate","data":{"seconds":90.5,"percent":0.1}}',
    { event: 'seeked', data: { seconds: 90.5 } },
    [{ method: 'setCurrentTime', value: 754 }, { method: 'play' }],
  ],
  [
    'https://geo.dailymotion.com/player.html?video=x8abcd',
    'event=timeupdate&time=90.5',
    'event=ad_timeupdate&time=90.5',
    null,
  ],
  [
    'https://player.twitch.tv/?video=v123456&autoplay=false',
    {
      namespace: 'twitch-embed-player-proxy',
      eventName: 'UPDATE_STATE',
      params: { playback: 'Playing', currentTime: 90.5 },
    },
    { namespace: 'other', eventName: 'UPDATE_STATE', params: { currentTime: 90.5 } },
    [
      { namespace: 'twitch-embed-player-proxy', eventName: 4, params: 754 },
      { namespace: 'twitch-embed-player-proxy', eventName: 3, params: null },
    ],
  ],
  [
    'https://www.tiktok.com/player/v1/7000000000000000000',
    { 'x-tiktok-player': true, type: 'onCurrentTime', value: { currentTime: 90.5, duration: 120 } },
    { type: 'onCurrentTime', value: { currentTime: 90.5 } },
    [
      { 'x-tiktok-player': true, type: 'seekTo', value: 754 },
      { 'x-tiktok-player': true, type: 'play', value: null },
    ],
  ],
  [
    'https://rutube.ru/play/embed/670a0a324732fb991b08962272fade61',
    '{"type":"player:currentTime","data":{"time":90.5}}',
    '{"type":"player:durationChange","data":{"time":90.5}}',
    ['{"type":"player:setCurrentTime","data":{"time":754}}', '{"type":"player:play","data":{}}'],
  ],
  [
    'https://streamable.com/e/abc123',
    '{"context":"player.js","event":"timeupdate","value":{"seconds":90.5}}',
    '{"context":"other","event":"timeupdate","value":{"seconds":90.5}}',
    null,
  ],
]

test.each(times)('%s reports its time', (address, timeMessage, otherMessage, seekMessages) => {
  const player = findKnownPlayer(address, embedPage)
  expect(player.readSeconds(timeMessage)).toBe(90.5)
  expect(player.readSeconds(otherMessage)).toBeNull()
  for (const invalid of ['-1', 'null', 'true']) {
    const message = JSON.stringify(timeMessage).replaceAll('90.5', invalid)
    expect(player.readSeconds(JSON.parse(message)), message).toBeNull()
  }
  expect(player.seekMessages?.(754) ?? null).toEqual(seekMessages)
})

test('our embed page reports its time and is moved to a time', () => {
  const player = embedPagePlayer('/embed/7', true)
  expect(player.readSeconds({ reelmark: 'time', seconds: 12.5 })).toBe(12.5)
  expect(player.readSeconds({ reelmark: 'ended', seconds: 12.5 })).toBeNull()
  expect(player.seekMessages?.(754)).toEqual([{ reelmark: 'seek', seconds: 754 }])
  expect(embedPagePlayer('/embed/7', false).seekMessages).toBeNull()
})

test.each([
  ['https://a.example/1', 'start={seconds}', 'https://a.example/1?start=3723'],
  ['https://a.example/1?b=2', 't={time}', 'https://a.example/1?b=2&t=1h2m3s'],
  ['https://a.example/1?b=2', '#t={seconds}s', 'https://a.example/1?b=2#t=3723s'],
  ['/embed/7?key=k', 't={seconds}', '/embed/7?key=k&t=3723'],
  ['https://a.example/1', null, 'https://a.example/1'],
])('%s starts at a time by %s', (src, parameter, expected) => {
  expect(withStartTime(src, parameter, 3723)).toBe(expected)
  expect(withStartTime(src, parameter, 0)).toBe(src)
})

const problems: [address: string, problem: string, message: unknown, otherMessage: unknown][] = [
  ['https://www.youtube-nocookie.com/embed/a', 'missing', '{"event":"onError","info":100}', '{"info":100}'],
  ['https://www.youtube-nocookie.com/embed/a', 'forbidden', '{"event":"onError","info":150}', '{"info":150}'],
  ['https://www.youtube-nocookie.com/embed/a', 'failed', '{"event":"onError","info":153}', '{"info":153}'],
  [
    'https://player.vimeo.com/video/1',
    'forbidden',
    { event: 'error', data: { name: 'PrivacyError', message: 'No.' } },
    { event: 'error', data: { name: 'RangeError', method: 'setCurrentTime' } },
  ],
  ['https://geo.dailymotion.com/player.html?video=x8abcd', 'failed', 'event=error&code=DM007', 'event=pause'],
  [
    'https://www.tiktok.com/player/v1/7000000000000000000',
    'failed',
    { 'x-tiktok-player': true, type: 'onPlayerError', value: {} },
    { type: 'onPlayerError' },
  ],
  [
    'https://streamable.com/e/abc123',
    'failed',
    '{"context":"player.js","event":"error","value":{"code":1}}',
    '{"event":"error"}',
  ],
  [
    'https://rutube.ru/play/embed/670a0a324732fb991b08962272fade61',
    'failed',
    '{"type":"player:error","data":{"code":"404","text":"Видео не найдено"}}',
    '{"type":"player:changeState","data":{"state":"lockScreenOn"}}',
  ],
]

test.each(problems)('%s reports that the video is %s', (address, problem, message, otherMessage) => {
  const player = findKnownPlayer(address, embedPage)
  expect(player.readProblem(message)).toBe(problem)
  expect(player.readProblem(otherMessage)).toBeNull()
})

test('our embed page reports that a player failed', () => {
  const player = embedPagePlayer('/embed/7', true)
  expect(player.readProblem({ reelmark: 'failed' })).toBe('failed')
  expect(player.readProblem({ reelmark: 'loaded' })).toBeNull()
})

test.each([null, undefined, 0, 'x', '{', '[]', 'null', '{"info":null}', [], { event: {} }, 'a'.repeat(1e5)])(
  'an invalid message (%j) is ignored',
  (message) => {
    for (const [address] of messages) {
      expect(findKnownPlayer(address, embedPage).read(message)).toBeNull()
      expect(findKnownPlayer(address, embedPage).readSeconds(message)).toBeNull()
      expect(findKnownPlayer(address, embedPage).readProblem(message)).toBeNull()
    }
    expect(embedPagePlayer('/embed/7', true).read(message)).toBeNull()
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
  usePlayerState(frame, player, { onState: (state) => setStates([...states, state]) })
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
