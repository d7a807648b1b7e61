import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { openLog } from './log.ts'

/** How a request for an address is written down. */
function addressInLog(url: string): string {
  let line = ''
  const log = openLog(
    { logLevel: 'info' },
    new Writable({
      write(chunk, _encoding, done) {
        line += chunk
        done()
      },
    }),
  )
  log.info({ req: { method: 'GET', url, host: 'a', ip: '127.0.0.1' } }, 'incoming request')
  return JSON.parse(line).req.url
}

test.each([
  ['/confirm-email/abc?x=1', '/confirm-email/[secret]?x=1'],
  ['/unsubscribe/abc', '/unsubscribe/[secret]'],
  ['/reset-password/MQ/abc', '/reset-password/MQ/[secret]'],
  [
    '/login/oidc?state=abc&code=d%26f&iss=https://a.example',
    '/login/oidc?state=[secret]&code=[secret]&iss=https://a.example',
  ],
  ['/explore?q=code', '/explore?q=code'],
])('%s is logged as %s', (url, logged) => {
  expect(addressInLog(url)).toBe(logged)
})
