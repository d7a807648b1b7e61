import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeUserAgent } from './describe-user-agent.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0', 'Firefox on Windows'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/137.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/137.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/137.0.0.0 Safari/537.36 Edg/137.0.0.0`,
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/136.0.0.0 Safari/537.36 OPR/121.0.0.0`,
    'Opera on macOS',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/137.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPad',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/139.0 Mobile/15E148 Safari/605.1.15',
    'Firefox on iPhone',
  ],
  ['Mozilla/5.0 (Android 15; Mobile; rv:139.0) Gecko/139.0 Firefox/139.0', 'Firefox on Android'],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/137.0.0.0 Safari/537.36`, 'Chromium on Linux'],
  ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'Internet Explorer on Windows'],
  ['Mozilla/5.0 (Linux; Android 14) Something/1.0', 'A browser on Android'],
  ['curl/8.14.1', 'API client, curl'],
  ['node', 'API client, node'],
  ['python-requests/2.32.3', 'API client, Python'],
  ['axios/1.9.0', 'API client, axios'],
  ['lightMyRequest', 'Unknown device'],
  ['', 'Unknown device'],
])('%s is described as %s', (userAgent, description) => {
  expect(describeUserAgent(userAgent)).toBe(description)
})

test('the description consists of known words, whatever the user agent contains', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 500 }), (userAgent) => {
      expect(describeUserAgent(userAgent)).toMatch(/^[A-Z][A-Za-z, ]+$|^iP/)
    }),
  )
})
