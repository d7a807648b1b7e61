import { existsSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { openCorpus } from '../../testing/corpora.ts'
import { PictureError, processPicture } from './process.ts'

const orange = { r: 255, g: 128, b: 0 }

function solid(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: orange } })
}

async function failureReason(bytes: Uint8Array): Promise<string> {
  return processPicture(bytes).then(
    () => 'made',
    (error: unknown) => {
      if (error instanceof PictureError) return error.reason
      throw error
    },
  )
}

test.each(['jpeg', 'png', 'webp', 'gif'] as const)('a %s is converted to two WebP files', async (format) => {
  const picture = await processPicture(await solid(1920, 1080).toFormat(format).toBuffer())
  expect(picture).toMatchObject({ width: 1920, height: 1080, shape: 'landscape' })
  expect(picture.variants.map(({ name, width, height }) => [name, width, height])).toEqual([
    ['small', 480, 270],
    ['large', 1280, 720],
  ])
  expect(picture.colour).toMatch(/^#f[c-f][78][0-9a-f]0[0-4]$/)
  for (const { webp } of picture.variants) expect(webp.subarray(8, 12).toString()).toBe('WEBP')
})

test('a small picture is not enlarged', async () => {
  const { variants } = await processPicture(await solid(100, 150).png().toBuffer())
  expect(variants.map(({ width, height }) => [width, height])).toEqual([
    [100, 150],
    [100, 150],
  ])
})

test('the shape of a picture is detected', async () => {
  const shape = async (width: number, height: number) =>
    (await processPicture(await solid(width, height).png().toBuffer())).shape
  expect(await shape(90, 160)).toBe('portrait')
  expect(await shape(100, 101)).toBe('square')
  expect(await shape(101, 90)).toBe('landscape')
})

test('a picture is rotated upright, and its metadata is removed', async () => {
  const tampered = await solid(400, 200)
    .jpeg()
    .withExif({ IFD0: { Copyright: 'secret-place' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const picture = await processPicture(tampered)
  expect(picture).toMatchObject({ width: 200, height: 400, shape: 'portrait' })
  for (const { webp } of picture.variants) {
    const { exif, xmp, icc, orientation } = await sharp(webp).metadata()
    expect([exif, xmp, icc, orientation]).toEqual([undefined, undefined, undefined, undefined])
  }
})

test('transparency is kept, and greyscale and 16-bit pictures are accepted', async () => {
  const clear = await sharp({
    create: { width: 50, height: 50, channels: 4, background: { ...orange, alpha: 0 } },
  })
    .png()
    .toBuffer()
  expect((await sharp((await processPicture(clear)).variants[0]?.webp).metadata()).hasAlpha).toBe(true)
  expect(await failureReason(await solid(50, 50).greyscale().png().toBuffer())).toBe('made')
  expect(await failureReason(await solid(50, 50).toColourspace('rgb16').png().toBuffer())).toBe('made')
})

test.each([
  ['an empty file', new Uint8Array(0), 'not-a-picture'],
  ['a vector graphic', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'not-a-picture'],
  ['text that begins like a picture', Buffer.from('GIF89a=1;alert(1)'), 'broken'],
  ['a file of more than 20 MB', Buffer.alloc(20 * 1024 * 1024 + 1, 0xff), 'too-large'],
])('%s is refused', async (_name, bytes, reason) => {
  expect(await failureReason(bytes)).toBe(reason)
})

test('pictures wider or higher than 8192 pixels are refused', async () => {
  expect(await failureReason(await solid(8193, 10).png().toBuffer())).toBe('too-large')
  expect(await failureReason(await solid(8192, 10).png().toBuffer())).toBe('made')
})

test('TIFF is not decoded, even when sharp is called directly', async () => {
  const tiff = await solid(10, 10).tiff().toBuffer()
  expect(await failureReason(tiff)).toBe('not-a-picture')
  await expect(sharp(tiff).metadata()).rejects.toThrow()
})

test('concurrent pictures are all processed, and damaged ones do not delay others', {
  tags: 'heavy',
}, async () => {
  const good = await solid(2000, 2000).png().toBuffer()
  const reasons = await Promise.all(
    Array.from({ length: 12 }, (_, i) => failureReason(i % 3 === 0 ? Buffer.from('GIF89a') : good)),
  )
  expect(reasons.filter((reason) => reason === 'made')).toHaveLength(8)
})

const corpus = openCorpus('security')

describe.skipIf(!corpus.exists)('malicious pictures from public collections', { tags: 'heavy' }, () => {
  type Row = { file: string; expect: string; why: string }
  const rows = corpus
    .rows<Row>('images/manifest.jsonl')
    .filter(({ file }) => existsSync(corpus.path(`images/${file}`)))

  test('are refused or made harmless, as listed, with little memory', async () => {
    expect(rows.length).toBeGreaterThan(30)
    let peak = 0
    const before = process.memoryUsage().rss
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss - before)
    }, 2)
    for (const row of rows) {
      const bytes = corpus.bytes(`images/${row.file}`)
      // CPU time, because other processes may use the machine.
      const start = process.cpuUsage()
      const reason = await failureReason(bytes)
      const { user, system } = process.cpuUsage(start)
      expect((user + system) / 1000, row.file).toBeLessThan(10_000)
      if (row.expect === 'reject' || row.expect === 'reject_and_no_request')
        expect(reason, row.file).not.toBe('made')
      if (/^accept_(?:reencoded|rotated|without_metadata)$/.test(row.expect))
        expect(reason, row.file).toBe('made')
      if (reason !== 'made') continue
      const picture = await processPicture(bytes)
      for (const { webp } of picture.variants) {
        const { exif, xmp, icc, format } = await sharp(webp).metadata()
        expect([format, exif, xmp, icc], row.file).toEqual(['webp', undefined, undefined, undefined])
        expect(webp.toString('latin1'), row.file).not.toMatch(/<\?php|<script/)
      }
      if (row.expect === 'accept_rotated') {
        const raw = await sharp(bytes).metadata()
        expect([picture.width, picture.height], row.file).toEqual([raw.height, raw.width])
      }
    }
    clearInterval(timer)
    process.stdout.write(`memory for ${rows.length} hostile pictures: +${Math.round(peak / 1024 ** 2)} MB\n`)
    expect(peak / 1024 ** 2).toBeLessThan(300)
  })
})
