import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Server } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutbound, type Outbound } from './outbound.ts'
import { OutboundError } from './outbound-error.ts'

/** One gigabyte as concatenated gzip members, which every decoder joins. */
const gzipBomb = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(16 * 1024 * 1024))))
const brotliBomb = brotliCompressSync(Buffer.alloc(128 * 1024 * 1024), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
})
const page = Buffer.from('<title>Grüße</title>'.repeat(100))

function endless(reply: ServerResponse): void {
  const write = () => {
    while (!reply.destroyed && reply.write(Buffer.alloc(65_536))) {}
  }
  reply.on('drain', write)
  write()
}

const sites: Record<string, (reply: ServerResponse, request: IncomingMessage) => void> = {
  gzip: (reply) => reply.setHeader('content-encoding', 'gzip').end(gzipSync(page)),
  'x-gzip': (reply) => reply.setHeader('content-encoding', 'X-GZip').end(gzipSync(page)),
  br: (reply) => reply.setHeader('content-encoding', 'br').end(brotliCompressSync(page)),
  'cut-gzip': (reply) => reply.setHeader('content-encoding', 'gzip').end(gzipSync(page).subarray(0, -4)),
  'gzip-bomb': (reply) => reply.setHeader('content-encoding', 'gzip').end(gzipBomb),
  'br-bomb': (reply) => reply.setHeader('content-encoding', 'br').end(brotliBomb),
  'gzip-in-gzip': (reply) => reply.setHeader('content-encoding', 'gzip, gzip').end(gzipSync(gzipBomb)),
  'gzip-a-hundred-times': (reply) =>
    reply.setHeader('content-encoding', Array(100).fill('gzip').join(', ')).end('x'),
  'unknown-coding': (reply) => reply.setHeader('content-encoding', 'x-foo').end('x'),
  'not-gzip': (reply) => reply.setHeader('content-encoding', 'gzip').end('plain text'),
  'endless-body': (reply) => endless(reply),
  'huge-length': (reply) => {
    reply.setHeader('content-length', String(10 * 1024 ** 4))
    reply.write('x')
  },
  'long-header': (reply) => reply.setHeader('x-long', 'y'.repeat(64 * 1024)).end(),
  'no-answer': () => {},
  'body-stops': (reply) => void reply.write('<title>'),
  'slow-drip': (reply) => {
    reply.write('x')
    const timer = setInterval(() => reply.write('x'), 300)
    reply.on('close', () => clearInterval(timer))
  },
  'redirect-to-itself': (reply) => reply.writeHead(302, { location: '/redirect-to-itself' }).end(),
  'endless-redirect-body': (reply) => {
    reply.writeHead(302, { location: '/gzip' })
    endless(reply)
  },
  missing: (reply) => reply.writeHead(404, { 'content-type': 'Text/HTML; charset=x' }).end('gone'),
}

const server = createServer((request, reply) => {
  reply.on('error', () => {})
  sites[request.url?.slice(1) ?? '']?.(reply, request)
})
/** Announces 10 bytes and sends without end, which Node's HTTP server would not do. */
const liar: Server = (await import('node:net')).createServer((socket) => {
  socket.on('error', () => {})
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n')
  const write = () => {
    while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'z'))) {}
  }
  socket.on('drain', write)
  write()
})
const noise: Server = (await import('node:net')).createServer((socket) => {
  socket.on('error', () => {})
  socket.end('SSH-2.0-OpenSSH_9.9\r\n')
})

let outbound: Outbound
let origin = ''
const readPort = (listener: Server) => (listener.address() as AddressInfo).port

beforeAll(async () => {
  for (const listener of [server, liar, noise]) {
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
  }
  origin = `http://127.0.0.1:${readPort(server)}`
  outbound = createOutbound({
    allow: [server, liar, noise].map((listener) => `127.0.0.1:${readPort(listener)}`),
  })
})
afterAll(async () => {
  await outbound.close()
  server.closeAllConnections()
  for (const listener of [server, liar, noise]) listener.close()
})

async function failureReason(url: string): Promise<string> {
  return outbound.get(url).then(
    () => 'no error',
    (error: unknown) => {
      if (error instanceof OutboundError) return error.reason
      throw error
    },
  )
}

describe('responses of malicious sites', () => {
  test.each(['gzip', 'x-gzip', 'br', 'cut-gzip'])('%s is decoded', async (site) => {
    expect((await outbound.get(`${origin}/${site}`)).body.equals(page)).toBe(true)
  })

  test('status and content type are returned', async () => {
    const response = await outbound.get(`${origin}/missing`)
    expect([response.status, response.contentType, response.body.toString()]).toEqual([
      404,
      'text/html',
      'gone',
    ])
  })

  test.each([
    ['gzip-in-gzip', 'bad-answer'],
    ['gzip-a-hundred-times', 'bad-answer'],
    ['unknown-coding', 'bad-answer'],
    ['not-gzip', 'bad-answer'],
    ['huge-length', 'too-large'],
    ['endless-body', 'too-large'],
    ['long-header', 'bad-answer'],
    ['redirect-to-itself', 'too-many-redirects'],
    ['endless-redirect-body', 'no error'],
  ])('%s ends immediately: %s', async (site, reason) => {
    // Waiting for the end would fail with `too-slow`.
    expect(await failureReason(`${origin}/${site}`)).toBe(reason)
  })

  test('a body longer than announced is not read further, and a response that is not HTTP is refused', async () => {
    expect(['no error', 'bad-answer', 'unreachable']).toContain(
      await failureReason(`http://127.0.0.1:${readPort(liar)}/`),
    )
    expect(await failureReason(`http://127.0.0.1:${readPort(noise)}/`)).toBe('bad-answer')
  })

  test.each(['gzip-bomb', 'br-bomb'])('%s needs no memory beyond the limit', async (site) => {
    await failureReason(`${origin}/${site}`)
    const before = process.memoryUsage().rss
    let peak = before
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 2)
    for (let i = 0; i < 5; i++) expect(await failureReason(`${origin}/${site}`)).toBe('too-large')
    clearInterval(timer)
    expect((peak - before) / 1024 ** 2).toBeLessThan(50)
  })
})

test('every kind of slow response ends within ten seconds', async () => {
  const start = performance.now()
  const [silent, stopping, dripping] = await Promise.all(
    ['no-answer', 'body-stops', 'slow-drip'].map(async (site) => {
      const reason = await failureReason(`${origin}/${site}`)
      return { reason, seconds: (performance.now() - start) / 1000 }
    }),
  )
  expect(silent?.reason).toBe('too-slow')
  // The limit plus a margin for a busy machine.
  expect(silent?.seconds).toBeLessThan(5 + 15)
  expect(stopping?.reason).toBe('too-slow')
  expect(stopping?.seconds).toBeLessThan(5 + 15)
  expect(dripping?.reason).toBe('too-slow')
  expect(dripping?.seconds).toBeLessThan(10 + 15)
})

describe('through a proxy', () => {
  const requests: string[] = []
  const proxy = createServer((request, reply) => {
    requests.push(`GET ${request.url}`)
    const passed = httpRequest(`${origin}/gzip`, (answer) => {
      reply.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(reply)
    })
    passed.end()
  })
  proxy.on('connect', (request, socket) => {
    requests.push(`CONNECT ${request.url}`)
    socket.on('error', () => {})
    const passed = connect(readPort(noise), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      passed.pipe(socket).pipe(passed)
    })
    passed.on('error', () => {})
  })
  let proxied: Outbound

  beforeAll(async () => {
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    proxied = createOutbound({
      proxy: `http://127.0.0.1:${readPort(proxy)}`,
      lookup: async (host) => (host.startsWith('inner') ? ['10.0.0.1'] : ['93.184.216.34']),
    })
  })
  afterAll(async () => {
    await proxied.close()
    proxy.closeAllConnections()
    proxy.close()
  })

  test('all requests go through the proxy', async () => {
    const response = await proxied.get('http://outer.example/page?x=1')
    expect(response.body.equals(page)).toBe(true)
    // The target does not speak TLS; only the request to the proxy matters.
    await proxied.get('https://outer.example/').catch(() => {})
    expect(requests).toEqual(['GET http://outer.example/page?x=1', 'CONNECT outer.example:443'])
  })

  test('hosts that are not public are not requested through the proxy', async () => {
    requests.length = 0
    for (const url of [
      'http://inner.example/',
      'https://inner.example/',
      'http://127.0.0.1/',
      'http://[::1]/',
    ]) {
      await expect(proxied.get(url), url).rejects.toMatchObject({ reason: 'not-public' })
    }
    expect(requests).toEqual([])
  })

  test('an invalid proxy URL stops the start', () => {
    expect(() => createOutbound({ proxy: 'socks5://x:1' })).toThrow('is not the URL of an http proxy')
  })
})
