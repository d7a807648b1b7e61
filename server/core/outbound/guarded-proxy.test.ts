import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GuardedProxy, openGuardedProxy } from './guarded-proxy.ts'
import type { OutboundOptions } from './outbound.ts'

/** A site that the proxy may connect to, with one that never stops sending. */
const site = createServer((request, reply) => {
  reply.on('error', () => {})
  if (request.url === '/endless') {
    const write = () => {
      while (!reply.destroyed && reply.write(Buffer.alloc(65_536))) {}
    }
    reply.on('drain', write)
    write()
  } else if (request.url === '/moved')
    reply.writeHead(302, { location: `http://127.0.0.1:${port(secret)}/` }).end()
  else {
    reply.setHeader('set-cookie', ['a=1', 'b=2'])
    text(request).then(
      (body) => reply.end(`${request.method} ${request.url} ${request.headers.host} ${body}`),
      // The proxy ended the request.
      () => {},
    )
  }
})
/** A server of the internal network, which nothing may connect to. */
let secretConnections = 0
const secret = createTcpServer((socket) => {
  secretConnections += 1
  socket.destroy()
})
/** Answers each connection with what it receives. */
const echo = createTcpServer((socket) => void socket.on('error', () => {}).pipe(socket))

const port = (server: Server) => (server.address() as AddressInfo).port
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  for (const server of [site, secret, echo]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
})
afterAll(async () => {
  for (const close of closing) await close()
  for (const server of [site, secret, echo]) server.close()
})

async function openProxy(options: OutboundOptions = {}): Promise<GuardedProxy> {
  const allow = [site, echo].map((server) => `127.0.0.1:${port(server)}`)
  const proxy = await openGuardedProxy({ allow, ...options })
  closing.push(proxy.close)
  return proxy
}

interface ProxyRequest {
  path: string
  method?: string
  body?: string
  headers?: Record<string, string>
  password?: string
}

/** Sends a request to a proxy like a program that uses it. */
function sendTo({ url }: GuardedProxy, { body, headers, password, ...options }: ProxyRequest) {
  const proxy = new URL(url)
  const credentials = Buffer.from(`run:${password ?? proxy.password}`).toString('base64')
  return httpRequest({
    host: proxy.hostname,
    port: proxy.port,
    agent: false,
    ...options,
    headers: { ...headers, 'proxy-authorization': `Basic ${credentials}` },
  }).end(body)
}

async function get(proxy: GuardedProxy, request: ProxyRequest) {
  const [reply] = await once(sendTo(proxy, request), 'response')
  return {
    status: reply.statusCode as number,
    headers: reply.headers,
    body: await text(reply).catch(() => 'cut'),
  }
}

async function connect(proxy: GuardedProxy, target: string): Promise<{ status: number; socket: Socket }> {
  const [reply, socket] = await once(sendTo(proxy, { path: target, method: 'CONNECT' }), 'connect')
  socket.on('error', () => {})
  return { status: reply.statusCode, socket }
}

test('it forwards requests with their bodies, and tunnels bytes', async () => {
  const proxy = await openProxy()
  const host = `127.0.0.1:${port(site)}`
  const found = await get(proxy, { path: `http://${host}/a?b=1`, method: 'POST', body: 'text' })
  expect(found).toMatchObject({ status: 200, body: `POST /a?b=1 ${host} text` })
  expect(found.headers['set-cookie']).toEqual(['a=1', 'b=2'])

  const { status, socket } = await connect(proxy, `127.0.0.1:${port(echo)}`)
  socket.write('hello')
  const [bytes] = await once(socket, 'data')
  expect([status, String(bytes)]).toEqual([200, 'hello'])
  socket.destroy()
})

test('nobody uses it without its password, which differs each time', async () => {
  const [proxy, other] = [await openProxy(), await openProxy()]
  const request = { path: `http://127.0.0.1:${port(site)}/` }
  expect((await get(proxy, request)).status).toBe(200)
  for (const password of ['', new URL(other.url).password]) {
    expect((await get(proxy, { ...request, password })).status).toBe(407)
  }
})

test.concurrent.each([
  ['a private address', () => `127.0.0.1:${port(secret)}`],
  ['a private address on a port of the web', () => '127.0.0.1:443'],
  ['an address in another notation', () => `2130706433:${port(secret)}`],
  ['an IPv6 address', () => `[::1]:${port(secret)}`],
  ['an IPv4 address within an IPv6 address', () => '[::ffff:127.0.0.1]:443'],
  ['another port', () => 'site.example:22'],
  ['a name of an internal network', () => 'db.internal:443'],
  ['a name with a private address', () => 'private.example:443'],
  ['a name with a private address among public ones', () => 'mixed.example:443'],
  ['credentials', () => `run@127.0.0.1:${port(site)}`],
])('it connects to nothing for %s', async (_name, target) => {
  const addresses: Record<string, string[]> = {
    'private.example': ['10.0.0.1'],
    'mixed.example': ['93.184.216.34', '127.0.0.1'],
  }
  const proxy = await openProxy({ lookup: async (host) => addresses[host] ?? [] })
  const [tunnel, reply] = await Promise.all([
    connect(proxy, target()),
    get(proxy, { path: `http://${target().replace(/:443$/, ':80')}/` }),
  ])
  tunnel.socket.destroy()
  expect([tunnel.status, reply.status, secretConnections]).toEqual([502, 502, 0])
})

test('it follows no redirect itself, and refuses the target when the program asks for it', async () => {
  const proxy = await openProxy()
  const moved = await get(proxy, { path: `http://127.0.0.1:${port(site)}/moved` })
  expect(moved.status).toBe(302)
  expect((await get(proxy, { path: String(moved.headers.location) })).status).toBe(502)
  expect(secretConnections).toBe(0)
})

test.concurrent.each(['ftp://site.example/x', 'file:///etc/passwd', 'https://site.example/', '/'])(
  'it refuses a request for %s',
  async (path) => {
    expect((await get(await openProxy(), { path })).status).toBe(502)
  },
)

/** Returns how many bytes of a reply arrive before the proxy cuts it. */
function countBytes(proxy: GuardedProxy, path: string): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0
    sendTo(proxy, { path })
      .on('error', () => resolve(bytes))
      .on('response', (reply) => {
        reply.on('error', () => {}).on('close', () => resolve(bytes))
        reply.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
      })
  })
}

test('a reply that does not end is cut, and so are all after some megabytes', async () => {
  const proxy = await openProxy()
  const received: number[] = []
  for (let n = 0; n < 4; n++) received.push(await countBytes(proxy, `http://127.0.0.1:${port(site)}/endless`))
  const mb = 1024 * 1024
  expect(received[0]).toBeGreaterThan(mb)
  expect(Math.max(...received)).toBeLessThanOrEqual(8 * mb)
  expect(received[3]).toBeLessThan(mb)
})

test('a program uploads no more than some megabytes either', async () => {
  const proxy = await openProxy()
  const path = `http://127.0.0.1:${port(site)}/`
  const upload = (megabytes: number) =>
    get(proxy, { path, method: 'POST', body: 'x'.repeat(megabytes * 1024 * 1024) })
  expect((await upload(7)).status).toBe(200)
  await expect(upload(9).then(({ status }) => status)).resolves.not.toBe(200)
})

test('one run makes sixty requests at most', async () => {
  const proxy = await openProxy()
  const path = `http://127.0.0.1:${port(site)}/`
  const statuses: number[] = []
  for (let n = 0; n < 62; n++) statuses.push((await get(proxy, { path })).status)
  expect(statuses.indexOf(429)).toBe(60)
})

test('closing it ends its tunnels', async () => {
  const proxy = await openGuardedProxy({ allow: [`127.0.0.1:${port(echo)}`] })
  const { socket } = await connect(proxy, `127.0.0.1:${port(echo)}`)
  const ended = once(socket, 'close')
  await proxy.close()
  await ended
  await expect(get(proxy, { path: '/' })).rejects.toThrow()
})

test('it uses the proxy of the operator, after it checked the address', async () => {
  const requested: string[] = []
  const upstream = createServer((request, reply) => {
    requested.push(`${request.method} ${request.url}`)
    reply.end('through both')
  })
  upstream.on('connect', (request, socket) => {
    requested.push(`CONNECT ${request.url} ${request.headers['proxy-authorization']}`)
    socket.on('error', () => {})
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    socket.pipe(socket)
  })
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const lookup = async (host: string) => (host === 'private.example' ? ['10.0.0.1'] : ['93.184.216.34'])
  const proxy = await openProxy({ proxy: `http://me:pass@127.0.0.1:${port(upstream)}`, lookup })
  const { status, socket } = await connect(proxy, 'site.example:443')
  socket.write('hello')
  const [bytes] = await once(socket, 'data')
  expect([status, String(bytes)]).toEqual([200, 'hello'])
  socket.destroy()
  expect((await connect(proxy, 'private.example:443')).status).toBe(502)
  expect(requested).toEqual([`CONNECT site.example:443 Basic ${Buffer.from('me:pass').toString('base64')}`])
  upstream.closeAllConnections()
  upstream.close()
})
