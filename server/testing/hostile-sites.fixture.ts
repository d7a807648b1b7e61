/** Pages and responses with which a site tries to keep the server busy. */
import type { ServerResponse } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { sendPage } from './local-internet.fixture.ts'

const mb = 1024 * 1024
const jsonLd = (text: string) => `<script type="application/ld+json">${text}</script>`
const microdata = '<div itemscope itemtype="https://schema.org/VideoObject"><b itemprop="name">'
const film = '{"@type":"VideoObject","name":"A film"},'

/** Pages of up to five megabytes by what they consist of, with their Content-Type header. */
export const hostilePages: Record<string, { body: Buffer; contentType: string }> = Object.fromEntries([
  ...Object.entries({
    'nested elements': '<div>'.repeat(mb),
    'unclosed tags': '<a'.repeat(2 * mb),
    attributes: `<p ${'a=1 '.repeat(mb)}>`,
    descriptions: `<meta name="description" content="${'&lt;'.repeat(5000)}">`.repeat(200),
    titles: `<meta property="og:title" content="${'&amp;'.repeat(4000)}">`.repeat(200),
    keywords: `<meta name="keywords" content="${'a,'.repeat(10_000)}">`.repeat(200),
    frames: '<iframe src="https://player.vimeo.com/video/1"></iframe>'.repeat(80_000),
    'broken JSON-LD': jsonLd(`{"@type":"VideoObject","name":"${'\\a'.repeat(mb)}`),
    'nested JSON-LD': jsonLd('['.repeat(mb)),
    'nested lists in JSON-LD': jsonLd('[1,'.repeat(30_000)),
    'JSON-LD of properties': jsonLd(`{${Array.from({ length: 9000 }, (_, n) => `"p${n}":{}`)},}`),
    'JSON-LD of films': jsonLd(`[${film.repeat(2400)}]`),
    'JSON-LD of keywords': jsonLd(`{"@type":"VideoObject","keywords":"${'a,'.repeat(49_000)}"}`),
    'small JSON-LD': jsonLd(film).repeat(50_000),
    microdata: microdata.repeat(40_000),
  }).map(([name, text]) => [name, { body: Buffer.from(text), contentType: 'text/html' }]),
  ...Object.entries({
    'windows-1252': Buffer.alloc(5 * mb, 0xe9),
    shift_jis: Buffer.alloc(5 * mb, Buffer.from([0x82, 0xa0])),
    gb18030: Buffer.alloc(5 * mb, Buffer.from([0x81, 0x30, 0x81, 0x30])),
    'iso-2022-jp': Buffer.alloc(5 * mb, '\x1b$B$"\x1b(B'),
    'utf-16le': Buffer.concat([
      Buffer.from('\ufeff', 'utf16le'),
      Buffer.alloc(4 * mb, Buffer.from([0, 0xd8])),
    ]),
    'utf-8': Buffer.concat([Buffer.from('\ufeff'), Buffer.alloc(4 * mb, 0xff)]),
  }).map(([charset, body]) => [`text in ${charset}`, { body, contentType: `text/html; charset=${charset}` }]),
])

function endless(reply: ServerResponse): void {
  const write = () => {
    while (!reply.destroyed && reply.write(Buffer.alloc(65_536))) {}
  }
  reply.on('drain', write)
  write()
}

const page = gzipSync('<title>A film</title>')
// Concatenated gzip files are a valid gzip file.
const gzipBomb = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(16 * mb))))
const sendEncoded = (encoding: string, body: Buffer) => (reply: ServerResponse) =>
  sendPage(reply.setHeader('content-encoding', encoding), body)

/** Responses by their name in the corpus of hostile responses. */
export const hostileResponses: Record<string, (reply: ServerResponse) => void> = {
  wrong_type: (reply) => sendPage(reply, '<title>A film</title>', 'image/png'),
  title_1MiB: (reply) => sendPage(reply, `<meta property="og:title" content="${'x'.repeat(mb)}">`),
  content_length_lie(reply) {
    // Node's server would refuse to write more than it announced.
    reply.socket?.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n')
    reply.socket?.end('x'.repeat(5 * mb))
  },
  content_length_huge(reply) {
    reply.setHeader('content-length', String(10 * 1024 ** 4))
    reply.write('x')
  },
  '100_encodings': sendEncoded(Array(100).fill('gzip').join(', '), page),
  lone_surrogate_title: (reply) => sendPage(reply, jsonLd('{"@type":"VideoObject","name":"\\ud800"}')),
  gzip_in_gzip: sendEncoded('gzip, gzip', gzipSync(gzipBomb)),
  unknown_encoding: sendEncoded('x-foo', page),
  'gzip_bomb_1GiB.gz': sendEncoded('gzip', gzipBomb),
  'br_bomb_1GiB.br': (reply) =>
    sendEncoded(
      'br',
      brotliCompressSync(Buffer.alloc(128 * mb), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
    )(reply),
  deep_html: (reply) => sendPage(reply, '<div>'.repeat(500_000)),
  no_response: () => {},
  header_64k: (reply) => sendPage(reply.setHeader('x-long', 'y'.repeat(64 * 1024)), page),
  endless_body: endless,
}
