import { previewThumbnail } from '@reelmark/contract/extraction.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { processPicture } from '../../../core/media/process.ts'
import type { Outbound } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { createTestPicture } from '../../../testing/test-pictures.ts'
import { failedReply } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'

/** The simulated web: by URL a picture, an HTTP status or an error. */
const web = new Map<string, Buffer | number | OutboundError>()
const outbound: Outbound = {
  async get(url) {
    const found = web.get(url) ?? 404
    if (found instanceof OutboundError) throw found
    const body = typeof found === 'number' ? Buffer.alloc(0) : found
    return {
      url,
      headers: {},
      contentType: 'image/png',
      status: typeof found === 'number' ? found : 200,
      body,
    }
  },
  close: async () => {},
}
const { site, alice } = await useSite({ outbound })
const base = 'https://img.example.org'
const preview = (path: string) => site.call(previewThumbnail, { body: { url: `${base}${path}` } }, alice)

test('a picture is returned re-encoded with its size and shape, and nothing is stored', async () => {
  const square = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  web.set(`${base}/square.png`, square)
  const reply = await preview('/square.png')
  expect(reply).toMatchObject({ width: 900, height: 900, shape: 'square' })
  const bytes = Buffer.from(reply.picture.replace('data:image/webp;base64,', ''), 'base64')
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 480, height: 480 })
  for await (const batch of site.app.deps.media.list()) expect(batch).toEqual([])
})

test('a file that is not a picture, cannot be fetched or is refused has an error at the field', async () => {
  const refused = await createTestPicture(1)
  const { hash } = await processPicture(refused)
  await site.db`insert into refused_pictures (hash) values (${hash}::bit(64))`
  web.set(`${base}/page`, Buffer.from('<html>'))
  web.set(`${base}/refused`, refused)
  web.set(`${base}/internal`, new OutboundError('not-public'))
  for (const [path, text] of [
    ['/page', 'Choose a JPEG, PNG, WebP or GIF image.'],
    ['/missing', 'The site answered with an error (404).'],
    ['/refused', 'This picture cannot be used.'],
    ['/internal', "We couldn't reach this site. Check that the link is public."],
  ] as const) {
    expect(await failedReply(preview(path)), path).toMatchObject({ status: 400, body: { url: [text] } })
  }
})

test('the duration of a failed preview does not reveal whether an address is private', async () => {
  web.set(`${base}/internal`, new OutboundError('not-public'))
  const startedAt = performance.now()
  await failedReply(preview('/internal'))
  expect(performance.now() - startedAt).toBeGreaterThan(1900)
})
