/**
 * A perceptual hash of 64 bits that hardly changes when a picture is scaled, brightened or compressed. Each bit says
 * whether one of the lowest 8 × 8 frequencies of the brightness (discrete cosine transform of 32 × 32 pixels) is above
 * their median. This is 'pHash': Zauner, Implementation and Benchmarking of Perceptual Image Hash Functions (2010).
 */

/** Width and height in pixels of the input. */
export const hashSide = 32
const frequencies = 8

/** Two pictures whose hashes differ in no more bits are taken for one. docs/decisions/0020-refused-pictures.md. */
export const maxHashDistance = 6

/** Minimum standard deviation of the brightness (0 to 255). Below it a picture is nearly a single colour. */
const minContrast = 12

/** A frequency this many times weaker than the strongest is noise. At least the given number must be stronger. */
const noiseRatio = 100
const minStrongFrequencies = 40

/** `cosines[k][x]`: the k-th cosine. The first, which is the mean brightness, is not used. */
const cosines = Array.from({ length: frequencies + 1 }, (_, k) =>
  Array.from({ length: hashSide }, (_, x) => Math.cos(((2 * x + 1) * k * Math.PI) / (2 * hashSide))),
)

/**
 * Returns the hash as 64 characters 0 or 1, or null if the picture has too little detail to be recognised.
 * @param grey `hashSide` × `hashSide` pixels of one byte each
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
  // A picture of a single edge or curve has only a few frequencies; the bits of the others would be noise.
  const [strongest = 0] = strengths.map(Math.abs).sort((a, b) => b - a)
  if (
    strengths.filter((strength) => Math.abs(strength) > strongest / noiseRatio).length < minStrongFrequencies
  )
    return null
  const median = [...strengths].sort((a, b) => a - b)[strengths.length / 2] ?? 0
  return strengths.map((strength) => (strength > median ? '1' : '0')).join('')
}
