import { availableParallelism } from 'node:os'
import sharp, { type ResizeOptions } from 'sharp'
import { createLimiter } from '../http/concurrency-limit.ts'
import { hashSide, perceptualHash } from './perceptual-hash.ts'
import { classifyShape, type KnownShape } from './shape.ts'

/**
 * A processed picture: decoded under limits, rotated upright, without metadata, in sRGB, as WebP in two sizes. No byte
 * of the original file is stored or served.
 */
export type Picture = {
  /** Of the original picture after rotation. */
  width: number
  height: number
  shape: KnownShape
  /** Mean colour as `#rrggbb`, shown until the picture loads. */
  colour: string
  /** Perceptual hash of 64 bits; null for pictures with too little detail. See perceptual-hash.ts. */
  hash: string | null
  variants: { name: VariantName; width: number; height: number; webp: Buffer }[]
}

export type VariantName = keyof typeof variantSizes

/** Maximum sizes; smaller pictures are not enlarged. Small is for cards on high-density screens, large for pages. */
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

/** `message` is meant for the user who uploaded or linked the picture. */
export class PictureError extends Error {
  override name = 'PictureError'
  readonly reason: keyof typeof texts

  constructor(reason: keyof typeof texts, options?: ErrorOptions) {
    super(texts[reason], options)
    this.reason = reason
  }
}

// Blocks all other decoders (SVG, PDF, TIFF, …), whatever a file claims to be, because most vulnerabilities are there.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    // Raw pixels, passed from decoding to resizing.
    'VipsForeignLoadRaw',
  ],
})
sharp.cache(false)
sharp.concurrency(1)

/** Decoding needs up to 160 MB per picture, and more concurrency than cores is not faster. */
const limit = createLimiter({
  concurrency: Math.min(2, availableParallelism()),
  maxQueued: Number.POSITIVE_INFINITY,
})

/** The `accept` header of requests for pictures: the formats that `processPicture` reads. */
export const acceptedPictures = 'image/webp, image/jpeg, image/png, image/gif;q=0.9'

/**
 * Converts a picture to WebP in two sizes.
 * @param bytes a JPEG, PNG, WebP or GIF (the first frame is used), recognised by its first bytes
 * @throws {PictureError}
 */
export function processPicture(bytes: Uint8Array): Promise<Picture> {
  return withPictureLimits(bytes, createPicture)
}

/**
 * Converts an uploaded avatar to a square of 256 pixels, cropped from the middle, as WebP.
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

/** Decodes a picture to raw pixels, upright and in sRGB, and returns them with the size of the original. */
async function decode(bytes: Uint8Array, size: ResizeOptions) {
  const input = sharp(bytes, { failOn: 'error', limitInputPixels: false, pages: 1, sequentialRead: true })
  const { autoOrient } = await input.metadata()
  const { width, height } = autoOrient
  const screen = gifScreen(bytes)
  // Checked before decoding, because a header of 20 bytes can claim 65,535 × 65,535 pixels.
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
    shape: classifyShape({ width, height }),
    colour: `#${mean.subarray(0, 3).toString('hex').padEnd(6, '0')}`,
    hash: perceptualHash(grey),
    variants,
  }
}

/** Returns the size that a GIF's header claims, which decoders ignore in favour of its frames; empty for others. */
function gifScreen(bytes: Uint8Array): number[] {
  if (bytes[0] !== 0x47 || bytes.length < 10) return []
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return [view.getUint16(6, true), view.getUint16(8, true)]
}

/** Returns whether the first bytes are those of a supported format. The claimed type is not trusted. */
function hasPictureSignature(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  return (
    start.startsWith('\xff\xd8\xff') ||
    start.startsWith('\x89PNG\r\n\x1a\n') ||
    /^RIFF.{4}WEBP/s.test(start) ||
    /^GIF8[79]a/.test(start)
  )
}
