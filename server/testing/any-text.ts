/**
 * Arbitrary texts and parts of URLs. fast-check's own `fc.string({ unit: 'binary' })`, `fc.webUrl`, `fc.webPath` and
 * others list all million code points first, which takes 1.5 s of processor time in each process.
 */
import fc from 'fast-check'

const lastCodePoint = 0x10ffff
const firstSurrogate = 0xd800
const surrogateCount = 0x800

/** Generates any code point except surrogates. */
const anyCharacter = fc
  .integer({ min: 0, max: lastCodePoint - surrogateCount })
  .map((n) => String.fromCodePoint(n < firstSurrogate ? n : n + surrogateCount))

export const anyText = fc.string({ unit: anyCharacter })

/** Characters of paths, queries and fragments that need no escaping (RFC 3986, section 3.3). */
const plainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/"

/** Generates a path without its first slash, a query or a fragment. */
export const urlPart = fc.string({
  unit: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...plainCharacters) },
    { weight: 1, arbitrary: anyCharacter.map(encodeURIComponent) },
  ),
})
