import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { signUp } from '../../testing/test-users.ts'

let site: TestApp
beforeAll(async () => {
  site = await bootApp()
  await site.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => site.close())

test.each(['/api/token/', '/api/transfer/imports/'])(
  'a client that disconnects while it sends a body to %s is not logged as an unreachable database',
  async (path) => {
    const user = await signUp(site, `user${path.length}`)
    const { port } = site.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const head = [
      `POST ${path} HTTP/1.1`,
      'host: localhost',
      'content-type: application/json',
      'content-length: 1000',
      `authorization: Bearer ${user.access}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{"a`)
    await once(site.app.server, 'request')
    // The server waits for the rest of the body.
    await sleep(300)
    socket.resetAndDestroy()
    await sleep(300)
    expect(site.log.filter(({ level }) => level >= 50)).toEqual([])
  },
)
