import { expect, test } from 'vitest'
import { canonicalUrl } from './canonical-url.ts'
import { recogniseVideo } from './recognise-video.ts'
import { readStartTime } from './start-time.ts'

const youtube = 'https://www.youtube.com/watch?v=aqz-KE-bpKQ'

test.each([
  [`${youtube}&t=90`, 90],
  [`${youtube}&t=90s`, 90],
  [`${youtube}&t=1m30s`, 90],
  [`${youtube}&t=1h2m3s`, 3723],
  [`${youtube}&t=2h`, 7200],
  [`${youtube}&t=1:02:03`, 3723],
  [`${youtube}&t=12.9`, 12],
  [`${youtube}#t=75`, 75],
  [`${youtube}&time_continue=5`, 5],
  ['youtu.be/aqz-KE-bpKQ?si=abc&t=42', 42],
  ['https://www.youtube.com/embed/aqz-KE-bpKQ?start=61', 61],
  ['https://www.youtube.com/attribution_link?u=%2Fwatch%3Fv%3Daqz-KE-bpKQ%26t%3D7', 7],
  ['https://vimeo.com/76979871#t=1m30s', 90],
  ['https://www.dailymotion.com/video/x5e9eog?start=90', 90],
  ['https://www.twitch.tv/videos/1963401646?t=0h2m10s', 130],
  ['https://peertube2.cpy.re/w/3fbif9S3WmtTP8gGsC5HBd?start=1m4s', 64],
  ['https://files.example.org/film.mp4#t=npt:10,20', 10],
])('%s starts at %i seconds', (link, seconds) => {
  expect(readStartTime(link)).toBe(seconds)
})

test.each([
  youtube,
  `${youtube}&t=`,
  `${youtube}&t=0`,
  `${youtube}&t=soon`,
  `${youtube}&t=-5`,
  `${youtube}&t=99999999`,
  // Far beyond the longest video.
  `${youtube}&t=9999h`,
  `${youtube}&t=${'1'.repeat(10_000)}`,
  // A tracking parameter there, and a topic of a forum.
  'https://x.com/CTV/status/1600649710662213632?t=90',
  'https://forum.example.org/viewtopic?t=90',
  'javascript:alert(1)#t=90',
  'no link',
])('%s names no start time', (link) => {
  expect(readStartTime(link)).toBeNull()
})

test('the start time is no part of a video’s identity', () => {
  for (const suffix of ['&t=90', '#t=90', '&start=1m']) {
    expect(canonicalUrl(youtube + suffix)).toBe(youtube)
  }
  expect(canonicalUrl('https://files.example.org/film.mp4#t=90')).toBe('https://files.example.org/film.mp4')
})

test('a host names how its player starts at a time, unless it has no player', () => {
  expect(recogniseVideo(youtube)?.start_parameter).toBe('start={seconds}')
  expect(recogniseVideo('https://vimeo.com/76979871')?.start_parameter).toBe('#t={seconds}s')
  expect(recogniseVideo('https://rumble.com/v1abcd-title.html')?.start_parameter).toBeNull()
})
