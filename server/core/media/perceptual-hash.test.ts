import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createTestPicture } from '../../testing/test-pictures.ts'
import { maxHashDistance } from './perceptual-hash.ts'
import { processPicture } from './process.ts'

const hash = async (bytes: Buffer) => (await processPicture(bytes)).hash
const distance = (a: string | null, b: string | null) => {
  if (a === null || b === null) throw new Error('a picture has no hash')
  return [...a].filter((bit, index) => bit !== b[index]).length
}

test('the hash hardly changes if a picture is smaller, of lower quality, brighter or grey', async () => {
  const scene = await createTestPicture(1)
  const whole = await hash(scene)
  const others = await Promise.all([
    sharp(scene).resize(240).jpeg({ quality: 30 }).toBuffer(),
    sharp(scene).linear(0.9, 5).webp({ quality: 40 }).toBuffer(),
    sharp(scene).greyscale().blur(2).png().toBuffer(),
  ])
  for (const other of others) expect(distance(whole, await hash(other))).toBeLessThanOrEqual(maxHashDistance)
})

test('the hashes of different pictures differ', async () => {
  const hashes = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => hash(await createTestPicture(n + 2))),
  )
  const pairs = hashes.flatMap((hash, at) => hashes.slice(at + 1).map((other) => distance(hash, other)))
  expect(Math.min(...pairs)).toBeGreaterThan(maxHashDistance)
})

test.each([
  ['one colour', { r: 90, g: 20, b: 20 }],
  ['black', { r: 0, g: 0, b: 0 }],
])('a picture of %s has no hash', async (_, background) => {
  const flat = sharp({ create: { width: 640, height: 360, channels: 3, background } })
  expect(await hash(await flat.png().toBuffer())).toBeNull()
})
