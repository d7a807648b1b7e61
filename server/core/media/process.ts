import { availableParallelism } from 'node:os'
import sharp, { type ResizeOptions } from 'sharp'
import { createLimiter } from '../http/concurrency-limit.ts'
import { hashSide, perceptualHash } from './perceptual-hash.ts'

/**
 * Pictures that others made, made ours: decoded once under limits, turned upright, without metadata, in sRGB, as WebP in
 * two sizes. What is stored and served never holds a byte of the original file.
 */
export type Picture = {
  /** Of the original, upright. */
  width: number
  height: number
  shape: 'landscape' | 'portrait' | 'square'
  /** `#rrggbb`, for the place it will take. */
  colour: string
  /** What it looks like, as 64 bits; null of what looks like too much else. See picture-hash.ts. */
  hash: string | null
  variants: { name: VariantName; width: number; height: number; webp: Buffer }[]
}

export type VariantName = keyof typeof variantSizes

/** Never enlarged. Small is for cards (a column of 240 pixels on a sharp screen), large for the video's own page. */
const variantSizes = {
  small: { width: 480, height: 854 },
  large: { width: 1280, height: 1280 },
} as const

const maxBytes = 20 * 1024 * 1024
const maxPixels = 40_000_000
const maxSide = 8192
const maxSeconds = 5

const texts = {
  'not-a-picture': 'Choose a JPEG, PNG, WebP or GIF image.',
  'too-large': 'Image is too large. Maximum: 20 MB, 40 megapixels, 8192 px per side.',
  broken: 'This image is damaged.',
} as const

/** `message` can be shown to the person whose picture it is. */
export class PictureError extends Error {
  override name = 'PictureError'
  readonly reason: keyof typeof texts

  constructor(reason: keyof typeof texts, options?: ErrorOptions) {
    super(texts[reason], options)
    this.reason = reason
  }
}

// Whatever a file claims to be, no other decoder can be reached: the others (SVG, PDF, TIFF, …) are where the holes are.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    // Our own pixels, on their way from decoding to the two sizes.
    'VipsForeignLoadRaw',
  ],
})
sharp.cache(false)
sharp.concurrency(1)

/** Decoding takes up to 160 MB each: more at once than there are cores gains nothing. */
const limit = createLimiter({
  concurrency: Math.min(2, availableParallelism()),
  maxQueued: Number.POSITIVE_INFINITY,
})

/**
 * @param bytes a JPEG, PNG, WebP or GIF (of which the first frame is taken), told by its first bytes
 * @throws {PictureError}
 */
export function processPicture(bytes: Uint8Array): Promise<Picture> {
  return withPictureLimits(bytes, createPicture)
}

/**
 * A face, from what its owner sent: a square of 256 pixels, cut from the middle, as WebP.
 * @throws {PictureError}
 */
export function processAvatar(bytes: Uint8Array): Promise<Buffer> {
  return withPictureLimits(bytes, async () => {
    const { data, info } = await decode(bytes, { width: 256, height: 256, fit: 'cover' })
    return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
      .webp({ quality: 82, effort: 4 })
      .timeout({ seconds: maxSeconds })
      .toBuffer()
  })
}

async function withPictureLimits<T>(bytes: Uint8Array, work: (bytes: Uint8Array) => Promise<T>): Promise<T> {
  if (bytes.length > maxBytes) throw new PictureError('too-large')
  if (!hasPictureSignature(bytes)) throw new PictureError('not-a-picture')
  try {
    return await limit({}, () => work(bytes))
  } catch (cause) {
    throw cause instanceof PictureError ? cause : new PictureError('broken', { cause })
  }
}

/** @returns raw pixels, upright and in sRGB, with the size of the original. */
async function decode(bytes: Uint8Array, size: ResizeOptions) {
  const input = sharp(bytes, { failOn: 'error', limitInputPixels: false, pages: 1, sequentialRead: true })
  const { autoOrient } = await input.metadata()
  const { width, height } = autoOrient
  const screen = gifScreen(bytes)
  // Checked before anything is decoded: a header of 20 bytes may claim 65,535 pixels a side.
  if (!width || !height) throw new PictureError('broken')
  if (Math.max(width, height, ...screen) > maxSide || width * height > maxPixels)
    throw new PictureError('too-large')

  const { data, info } = await sharp(bytes, {
    failOn: 'error',
    limitInputPixels: maxPixels,
    pages: 1,
    sequentialRead: true,
  })
    .timeout({ seconds: maxSeconds })
    .autoOrient()
    .resize(size)
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { width, height, data, info }
}

async function createPicture(bytes: Uint8Array): Promise<Picture> {
  const { width, height, data, info } = await decode(bytes, {
    ...variantSizes.large,
    fit: 'inside',
    withoutEnlargement: true,
  })
  const pixels = () =>
    sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  const variants = await Promise.all(
    (Object.keys(variantSizes) as VariantName[]).map(async (name) => {
      const created = await pixels()
        .resize({ ...variantSizes[name], fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 78, effort: 4 })
        .timeout({ seconds: maxSeconds })
        .toBuffer({ resolveWithObject: true })
      return { name, width: created.info.width, height: created.info.height, webp: created.data }
    }),
  )
  const grey = await pixels()
    .flatten()
    .greyscale()
    .resize(hashSide, hashSide, { fit: 'fill' })
    .raw()
    .toBuffer()
  const mean = await pixels().flatten().resize(1, 1, { fit: 'fill' }).raw().toBuffer()
  return {
    width,
    height,
    shape: classifyShape(width, height),
    colour: `#${mean.subarray(0, 3).toString('hex').padEnd(6, '0')}`,
    hash: perceptualHash(grey),
    variants,
  }
}

/** A GIF's own claim: the decoder goes by the frames and forgives it. */
function gifScreen(bytes: Uint8Array): number[] {
  if (bytes[0] !== 0x47 || bytes.length < 10) return []
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return [view.getUint16(6, true), view.getUint16(8, true)]
}

/** By the first bytes, not by what anybody calls it. */
function hasPictureSignature(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  return (
    start.startsWith('\xff\xd8\xff') ||
    start.startsWith('\x89PNG\r\n\x1a\n') ||
    /^RIFF.{4}WEBP/s.test(start) ||
    /^GIF8[79]a/.test(start)
  )
}

function classifyShape(width: number, height: number): Picture['shape'] {
  const ratio = width / height
  if (ratio > 1.03) return 'landscape'
  return ratio < 0.97 ? 'portrait' : 'square'
}
