import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { extractMetadata } from '@reelmark/contract/extraction.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutbound } from '../../../core/outbound/outbound.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let refusingPort: number
let silentPort: number
const sockets: Socket[] = []
const silentServer = createServer((socket) => sockets.push(socket))
const outbound = () =>
  createOutbound({
    allow: [`127.0.0.1:${refusingPort}`, `127.0.0.1:${silentPort}`],
    async lookup(host) {
      if (host === 'intern.example.org') return ['10.0.0.5']
      if (host === 'half.example.org') return ['10.0.0.5', '93.184.216.34']
      if (host === 'slow.example.org') return new Promise(() => {})
      if (host === 'empty.example.org') return []
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
    },
  })

beforeAll(async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  refusingPort = (closed.address() as AddressInfo).port
  closed.close()
  silentServer.listen(0, '127.0.0.1')
  await once(silentServer, 'listening')
  silentPort = (silentServer.address() as AddressInfo).port
  site = await bootApp({ outbound: outbound() })
  alice = await signUp(site, 'alice')
})
afterAll(async () => {
  await site.close()
  for (const socket of sockets) socket.destroy()
  silentServer.close()
})

async function extract(url: string) {
  const startedAt = performance.now()
  const reply = await failedReply(site.call(extractMetadata, { body: { url } }, alice))
  return { reply, seconds: (performance.now() - startedAt) / 1000 }
}

test('sites that are not public, do not exist, refuse or do not respond give the same error', async () => {
  const links = [
    'http://10.0.0.5/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://localhost/',
    'http://printer.lan/',
    'http://intern.example.org/',
    'http://half.example.org/',
    'http://missing.example.org/',
    'http://empty.example.org/',
    'http://slow.example.org/',
    `http://127.0.0.1:${refusingPort}/`,
    `http://127.0.0.1:${silentPort}/`,
  ]
  const answers = await Promise.all(links.map(extract))
  const message = "We couldn't reach this site. Check that the link is public."
  for (const [n, { reply }] of answers.entries()) {
    expect(reply, links[n]).toEqual({
      status: 422,
      body: { error: 'Failed to extract metadata from URL', detail: message, code: 'extraction-failed' },
    })
  }
})

test('the time until the error does not tell whether a site is not public, does not exist or refuses', async () => {
  const links = [
    'http://10.0.0.5/',
    'http://intern.example.org/',
    'http://missing.example.org/',
    `http://127.0.0.1:${refusingPort}/`,
  ]
  for (const { seconds } of await Promise.all(links.map(extract))) expect(seconds).toBeGreaterThan(1.9)
})
