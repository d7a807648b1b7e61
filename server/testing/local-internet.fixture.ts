/**
 * The internet of a server under test: a name server and a proxy on this machine, which serves every site. No request
 * leaves the machine, and every name exists.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { fileURLToPath } from 'node:url'

export type Site = (reply: ServerResponse, url: URL, request: IncomingMessage) => void

export interface LocalInternet {
  /** By host name. Other hosts serve a page with a title. */
  sites: Map<string, Site>
  /** The addresses of a name for each lookup in turn; the last ones repeat. Other names have a public address. */
  addresses: Map<string, string[][]>
  /** Settings and variables for the server under test. */
  environment: Record<string, string>
  close(): void
}

const publicAddress = '93.184.216.34'

export async function openLocalInternet(): Promise<LocalInternet> {
  const sites = new Map<string, Site>()
  const addresses = new Map<string, string[][]>()
  const proxy = createServer((request, reply) => {
    reply.on('error', () => {})
    const url = URL.parse(request.url ?? '')
    const site = sites.get(url?.hostname ?? '')
    if (url === null || site === undefined) sendPage(reply, '<title>A film</title>')
    else site(reply, url, request)
  })
  // Sites do not speak TLS: the request ends when they respond.
  proxy.on('connect', (_request, socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\n\r\nThis is not TLS.')
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')

  const nameServer = createSocket('udp4')
  const lookups = new Map<string, number>()
  nameServer.on('message', (query, sender) => {
    nameServer.send(
      answerQuery(query, (name, family) => {
        const lists = addresses.get(name) ?? [[publicAddress]]
        const count = lookups.get(`${name} ${family}`) ?? 0
        lookups.set(`${name} ${family}`, count + 1)
        return lists[Math.min(count, lists.length - 1)] ?? []
      }),
      sender.port,
      sender.address,
    )
  })
  nameServer.bind(0, '127.0.0.1')
  await once(nameServer, 'listening')
  const preload = fileURLToPath(new URL('use-local-names.fixture.ts', import.meta.url))
  return {
    sites,
    addresses,
    environment: {
      NODE_OPTIONS: `--import=${preload}`,
      NAME_SERVER: `127.0.0.1:${nameServer.address().port}`,
      OUTBOUND_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    },
    close() {
      proxy.closeAllConnections()
      proxy.close()
      nameServer.close()
    },
  }
}

export function sendPage(reply: ServerResponse, body: string | Buffer, contentType = 'text/html'): void {
  reply.writeHead(200, { 'content-type': contentType }).end(body)
}

/** Returns the response to a DNS query for the addresses of a name (RFC 1035, section 4). */
function answerQuery(query: Buffer, findAddresses: (name: string, family: 4 | 6) => string[]): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const family = query.readUInt16BE(at + 1) === 1 ? 4 : 6
  const found = findAddresses(labels.join('.').toLowerCase(), family)
  const records = found.filter((address) => isIP(address) === family).map(addressRecord)
  // A response without error to a recursive query, with one question.
  const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])
  query.copy(header, 0, 0, 2)
  return Buffer.concat([header, query.subarray(12, at + 5), ...records])
}

function addressRecord(address: string): Buffer {
  const isIpv4 = isIP(address) === 4
  const bytes = isIpv4 ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
  // The name of the question, the type A or AAAA, the class IN, no caching.
  return Buffer.concat([
    Buffer.from([0xc0, 12, 0, isIpv4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length]),
    bytes,
  ])
}

function ipv6Bytes(address: string): Buffer {
  // `new URL` writes an embedded IPv4 address as two groups.
  const [start = '', end = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const [first, last] = [start, end].map((part) => part.split(':').filter((group) => group !== ''))
  if (first === undefined || last === undefined) throw new Error(`Not an IPv6 address: ${address}`)
  const groups = [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
