/** Generates distinguishable test pictures from a seed. */
import sharp from 'sharp'

/** Returns a PNG of 1280 × 720 pixels; the same seed gives the same picture. */
export async function createTestPicture(seed: number): Promise<Buffer> {
  const [width, height] = [16, 9]
  let state = seed * 2_654_435_761
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1_013_904_223) >>> 0
    return state >>> 24
  }
  const pixels = Uint8Array.from({ length: width * height * 3 }, next)
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .resize(1280, 720, { kernel: 'cubic' })
    .png()
    .toBuffer()
}
