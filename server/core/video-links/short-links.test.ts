import { expect, test } from 'vitest'
import { isShortLink } from './short-links.ts'

test.each([
  ['https://vm.tiktok.com/ZMabc123/', true],
  ['http://t.co/abc', true],
  ['https://www.bit.ly/abc', true],
  ['https://www.tiktok.com/t/ZTabc123/', true],
  ['https://www.reddit.com/r/videos/s/AbC123', true],
  ['https://www.facebook.com/share/v/abc123/', true],
  ['https://www.instagram.com/share/reel/abc123', true],
  // Recognised without a request.
  ['https://youtu.be/dQw4w9WgXcQ', false],
  ['https://dai.ly/x8abcde', false],
  // Other pages, and hosts that only end like a short one.
  ['https://www.reddit.com/r/videos/', false],
  ['https://www.tiktok.com/tag/cats', false],
  ['https://not.t.co.example.org/abc', false],
  ['https://best.co/abc', false],
  ['no link', false],
])('%s: %s', (link, isShort) => {
  expect(isShortLink(link)).toBe(isShort)
})
