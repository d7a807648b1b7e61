import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { openCorpus } from '../../testing/corpora.ts'
import { recordNetwork } from '../../testing/network-recorder.ts'
import { checkUrl, parseAllowList } from './check-url.ts'
import { createOutbound } from './outbound.ts'
import { OutboundError } from './outbound-error.ts'
import { isPublicAddress } from './public-address.ts'

const security = openCorpus('security')
const publicAddress = '93.184.216.34'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function openNetwork(
  listener: RequestListener = (_request, reply) => reply.end('ok'),
  remoteAddress?: (address: string) => string,
) {
  const network = await recordNetwork(listener, remoteAddress)
  closing.push(network.close)
  return network
}

function open(options: Parameters<typeof createOutbound>[0]) {
  const outbound = createOutbound(options)
  closing.push(() => outbound.close())
  return outbound
}

async function failureReason(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    (error: unknown) => {
      if (error instanceof OutboundError) return error.reason
      throw error
    },
  )
}

describe.skipIf(!security.exists)('malicious URLs from public collections', () => {
  test('are never connected to, even if their name has a loopback address', async () => {
    const network = await openNetwork()
    const outbound = open({ lookup: async () => ['127.0.0.1'] })
    const rows = security.rows<string>('ssrf/ssrf_block.jsonl')
    expect(rows.length).toBeGreaterThan(100)
    for (const url of rows) expect(await failureReason(outbound.get(url)), url).not.toBe('no error')
    expect(network.dialled).toEqual([])
  })

  test('harmless URLs are fetched', async () => {
    const network = await openNetwork()
    for (const url of security.rows<string>('ssrf/ssrf_allow.jsonl')) {
      const outbound = open({ lookup: async () => [publicAddress] })
      const before = network.dialled.length
      const reason = await failureReason(outbound.get(url))
      // The target does not speak TLS, so https gets as far as the connection.
      if (url.startsWith('http:')) expect(reason, url).toBe('no error')
      expect(network.dialled.length, url).toBe(before + 1)
      expect(['no error', 'unreachable', 'bad-certificate'], url).toContain(reason)
    }
    expect(network.addresses().every(isPublicAddress)).toBe(true)
  })

  test('a name with an address that is not public is refused, also when asked again', async () => {
    type Row = { host: string; answers: string[][]; expect: string }
    const network = await openNetwork()
    for (const row of security.rows<Row>('ssrf/ssrf_dns.jsonl')) {
      let lookups = 0
      const outbound = open({
        lookup: async () => row.answers[Math.min(lookups++, row.answers.length - 1)] ?? [],
      })
      const url = `http://${row.host}/`
      const first = await failureReason(outbound.get(url))
      if (row.expect === 'allow') expect(first, url).toBe('no error')
      else if (row.expect === 'block') expect(first, url).toBe('not-public')
      else if (row.expect === 'error') expect(first, url).toBe('unresolved')
      await failureReason(outbound.get(`http://${row.host}/again`))
    }
    expect(network.addresses().filter((address) => !isPublicAddress(address))).toEqual([])
    expect(network.dialled.length).toBeGreaterThan(0)
  })

  test('redirects to addresses that are not public are refused', async () => {
    type Row = {
      status: number
      location?: string
      meta_refresh?: string
      html_og_image?: string
      expect: string
    }
    const rows = security.rows<Row>('ssrf/ssrf_redirects.jsonl')
    const network = await openNetwork((request, reply) => {
      const row = rows[Number(request.url?.slice(1))]
      if (row?.location !== undefined) reply.writeHead(row.status, { location: row.location }).end()
      else {
        reply.setHeader('content-type', 'text/html')
        reply.end(`<meta http-equiv=refresh content="0;url=${row?.meta_refresh}">`)
      }
    })
    const outbound = open({ lookup: async () => [publicAddress] })
    for (const [index, row] of rows.entries()) {
      const reason = await failureReason(outbound.get(`http://start.example/${index}`))
      if (row.expect === 'block') expect(['not-public', 'bad-redirect'], row.location).toContain(reason)
      else expect(reason).toBe('no error')
      if (row.html_og_image) expect(await failureReason(outbound.get(row.html_og_image))).toBe('not-public')
    }
    expect(new Set(network.dialled)).toEqual(new Set([`${publicAddress}:80`]))
  })

  test('URLs are parsed according to the standard or refused', () => {
    type Row = { input: string; base: string | null; href?: string; hostname?: string; failure?: boolean }
    const emptyAllowList = parseAllowList([])
    let agreed = 0
    for (const row of security.rows<Row>('urls/wpt_urltestdata.jsonl')) {
      try {
        const url = checkUrl(row.input, emptyAllowList, row.base === null ? undefined : new URL(row.base))
        expect(url.href, row.input).toBe(row.href)
        agreed++
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error
      }
    }
    for (const { input, output } of security.rows<{ input: string; output: string | null }>(
      'urls/wpt_toascii.jsonl',
    )) {
      try {
        expect(checkUrl(`https://${input}/`, emptyAllowList).hostname, input).toBe(output)
        agreed++
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error
      }
    }
    expect(agreed).toBeGreaterThan(100)
  })
})

test('a connection to another address than the resolved one is refused before anything is sent', async () => {
  let requests = 0
  await openNetwork(
    (_request, reply) => {
      requests++
      reply.end()
    },
    () => '10.0.0.7',
  )
  const outbound = open({ lookup: async () => [publicAddress] })
  expect(await failureReason(outbound.get('http://rebound.example/'))).toBe('not-public')
  expect(requests).toBe(0)
})

test('five redirects are followed, and a sixth is refused', async () => {
  await openNetwork((request, reply) => {
    const left = Number(request.url?.slice(1))
    if (left > 0) reply.writeHead(302, { location: `/${left - 1}` }).end()
    else reply.end('arrived')
  })
  const outbound = open({ lookup: async () => [publicAddress] })
  const response = await outbound.get('http://example.com/5')
  expect([response.body.toString(), response.url]).toEqual(['arrived', 'http://example.com/0'])
  expect(await failureReason(outbound.get('http://example.com/6'))).toBe('too-many-redirects')
})

test('no cookie, credential or referrer is sent, not even a cookie that an earlier hop set', async () => {
  const headerNames: string[][] = []
  await openNetwork((request, reply) => {
    headerNames.push(Object.keys(request.headers).sort())
    reply.setHeader('set-cookie', 'a=b')
    if (request.url === '/') reply.writeHead(301, { location: '/next' }).end()
    else reply.end()
  })
  await open({ lookup: async () => [publicAddress] }).get('http://example.com/')
  const expected = ['accept', 'accept-encoding', 'accept-language', 'connection', 'host', 'user-agent']
  expect(headerNames).toEqual([expected, expected])
})

test('an allow-list entry exempts exactly its host and port', async () => {
  const network = await openNetwork()
  const outbound = open({ allow: 'localhost:9000, 10.1.2.3:8080 [fd00::1]:80' })
  await outbound.get('http://localhost:9000/')
  await outbound.get('http://10.1.2.3:8080/')
  await outbound.get('http://[fd00::1]/')
  const before = network.dialled.length
  for (const url of [
    'http://localhost:9001/',
    'http://localhost/',
    'http://10.1.2.3/',
    'http://10.1.2.4:8080/',
  ]) {
    expect(['port', 'not-public'], url).toContain(await failureReason(outbound.get(url)))
  }
  expect(network.dialled.length).toBe(before)
})

test.each(['localhost', 'http://localhost:1/', 'user@host:80', ':80', 'a b:80'])(
  'the invalid allow-list entry %j stops the start',
  (pair) => {
    expect(() => createOutbound({ allow: [pair] })).toThrow('is not a host:port pair')
  },
)

test('an abort signal ends the request', async () => {
  await openNetwork(() => {})
  const outbound = open({ lookup: async () => [publicAddress] })
  const reason = failureReason(outbound.get('http://example.com/', { signal: AbortSignal.timeout(100) }))
  expect(await reason).toBe('aborted')
})

test('send is guarded like get and follows no redirect', async () => {
  const network = await openNetwork(async (request, reply) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { method, headers } = request
    reply.writeHead(request.url === '/away' ? 307 : 201, { location: 'http://example.com/' })
    reply.end(JSON.stringify([method, headers['content-type'], Buffer.concat(parts).toString()]))
  })
  const outbound = open({ allow: ['localhost:9000'], lookup: async () => [publicAddress] })
  const form = { method: 'POST', headers: { 'content-type': 'text/x' }, body: 'a=b' }
  const response = await outbound.send('http://localhost:9000/', form)
  expect([response.status, JSON.parse(response.body.toString())]).toEqual([201, ['POST', 'text/x', 'a=b']])
  expect((await outbound.send('http://localhost:9000/away', form)).status).toBe(307)
  expect(network.dialled).toHaveLength(2)
  for (const url of ['http://localhost:9001/', 'http://10.0.0.1/', 'http://[::1]/', 'file:///etc/passwd']) {
    expect(['port', 'not-public', 'scheme'], url).toContain(await failureReason(outbound.send(url, form)))
  }
  expect(await failureReason(outbound.send('http://example.com/', { ...form, maxBytes: 5 }))).toBe(
    'too-large',
  )
  expect(network.dialled).toHaveLength(3)
})
