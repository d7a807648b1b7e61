/** A local web server with pages to paste links from, because tests may run without internet access. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'

export interface FakeWebsites {
  /** `127.0.0.1:port`, for OUTBOUND_ALLOW. */
  host: string
  /** A page with full metadata: title, picture, player on another host, duration, keywords. */
  film: string
  /** A page without a player. */
  article: string
  /** A page that links to two videos. */
  list: string
  /** A page without metadata. */
  nothing: string
  /** Two pages of videos of the same uploader. */
  uploaded: readonly [string, string]
  /** Returns the URL of a picture that differs for each name. */
  pictureUrl(name: string): string
  close(): Promise<void>
}

/** Returns a 64 by 36 pixel PNG of one colour, which depends on the text. */
function solidPicture(text: string): Buffer {
  const colour = Buffer.alloc(4)
  colour.writeUInt32BE(crc32(text))
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(64 * 3, colour.subarray(0, 3))])
  const chunk = (type: string, data: Buffer) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])))
    return Buffer.concat([length, Buffer.from(type), data, sum])
  }
  const header = Buffer.from([0, 0, 0, 64, 0, 0, 0, 36, 8, 2, 0, 0, 0])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: 36 }, () => row)))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function uploadedPage(title: string): string {
  const author = { '@type': 'Organization', name: 'Coast Films', url: 'https://127.0.0.1/@coast' }
  const film = { '@context': 'https://schema.org', '@type': 'VideoObject', name: title, author }
  return `<!doctype html><html><head><title>${title}</title>
    <script type="application/ld+json">${JSON.stringify(film)}</script></head></html>`
}

export async function startFakeWebsites(): Promise<FakeWebsites> {
  const pages: Record<string, string> = {
    '/film': `<!doctype html><html><head><title>The Lighthouse at Dusk | Coast Films</title>
      <meta property="og:type" content="video.other">
      <meta property="og:title" content="The Lighthouse at Dusk">
      <meta property="og:description" content="Forty minutes of waves, and one keeper.">
      <meta property="og:image" content="/pictures/film.png">
      <meta property="og:video:secure_url" content="https://player.coastfilms.example/embed/1">
      <meta property="og:video:type" content="text/html">
      <meta property="og:video:width" content="1280"><meta property="og:video:height" content="720">
      <meta name="keywords" content="sea, lighthouse">
      <script type="application/ld+json">{"@context":"https://schema.org","@type":"VideoObject",
        "name":"The Lighthouse at Dusk","duration":"PT40M12S","embedUrl":"https://player.coastfilms.example/embed/1"}</script>
      </head><body>Film</body></html>`,
    '/article': `<!doctype html><html><head><title>Notes on fog</title>
      <meta property="og:title" content="Notes on fog"></head><body>Only words</body></html>`,
    '/list': `<!doctype html><html><head><title>Two films</title></head><body>
      <a href="https://vimeo.com/501">The first film</a> <a href="https://vimeo.com/502">The second film</a></body></html>`,
    '/harbour/1': uploadedPage('The first harbour'),
    '/harbour/2': uploadedPage('The second harbour'),
    '/nothing': '<!doctype html><html><head></head><body></body></html>',
  }
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/pictures/')) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(solidPicture(request.url))
      return
    }
    const [path = ''] = (request.url ?? '').split('?')
    const page = pages[path]
    response
      .writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    film: `http://${host}/film`,
    article: `http://${host}/article`,
    list: `http://${host}/list`,
    nothing: `http://${host}/nothing`,
    uploaded: [`http://${host}/harbour/1`, `http://${host}/harbour/2`],
    pictureUrl: (name) => `http://${host}/pictures/${name}.png`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
