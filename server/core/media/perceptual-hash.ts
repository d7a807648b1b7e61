/**
 * What a picture looks like, in 64 bits that stay nearly the same when it is made smaller, paler or worse: which of the
 * lowest 8 × 8 waves of its brightness (a discrete cosine transform of 32 × 32 pixels) are above their median. As
 * 'pHash' does: Zauner, Implementation and Benchmarking of Perceptual Image Hash Functions (2010).
 */

/** Pixels a side of what is hashed. */
export const hashSide = 32
const frequencies = 8

/** Two pictures whose hashes differ in no more bits are taken for one. docs/decisions/0020-refused-pictures.md. */
export const maxHashDistance = 6

/** So much of a picture's brightness (0 to 255) has to differ, or it is near to black, white or one colour. */
const minContrast = 12

/** A wave so much weaker than the strongest is not told from noise; and of the 64 so many have to be. */
const noiseRatio = 100
const minStrongFrequencies = 40

/** `cosines[k][x]`: the k-th wave, without the first, which is the brightness of it all. */
const cosines = Array.from({ length: frequencies + 1 }, (_, k) =>
  Array.from({ length: hashSide }, (_, x) => Math.cos(((2 * x + 1) * k * Math.PI) / (2 * hashSide))),
)

/**
 * @param grey `hashSide` × `hashSide` pixels, a byte each
 * @returns 64 characters, 0 or 1; null where too little is to be seen to tell it from others.
 */
export function perceptualHash(grey: Uint8Array): string | null {
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length
  const contrast = Math.sqrt(grey.reduce((sum, value) => sum + (value - mean) ** 2, 0) / grey.length)
  if (contrast < minContrast) return null
  const strengths: number[] = []
  for (let v = 1; v <= frequencies; v += 1) {
    for (let u = 1; u <= frequencies; u += 1) {
      let sum = 0
      for (let y = 0; y < hashSide; y += 1) {
        for (let x = 0; x < hashSide; x += 1) {
          sum += (grey[y * hashSide + x] ?? 0) * (cosines[u]?.[x] ?? 0) * (cosines[v]?.[y] ?? 0)
        }
      }
      strengths.push(sum)
    }
  }
  // A picture of one edge or one bow has a few waves alone: the bits of the others would be noise.
  const [strongest = 0] = strengths.map(Math.abs).sort((one, other) => other - one)
  if (
    strengths.filter((strength) => Math.abs(strength) > strongest / noiseRatio).length < minStrongFrequencies
  )
    return null
  const median = [...strengths].sort((one, other) => one - other)[strengths.length / 2] ?? 0
  return strengths.map((strength) => (strength > median ? '1' : '0')).join('')
}
