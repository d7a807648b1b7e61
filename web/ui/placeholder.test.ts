import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hueClass, initials } from './placeholder.tsx'

/** Like `fc.string({ unit: 'binary' })`, which first lists all million code points. */
const anyText = fc.string({
  unit: fc
    .integer({ min: 0, max: 0x10ffff })
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code)),
})

describe('the placeholder of a title', () => {
  it.each([
    ['big buck bunny', 'BB'],
    ['Sintel', 'S'],
    ['«Ünder» the sea', 'ÜT'],
    ['東京の夜', '東'],
    ['1984', '1'],
    ['...', '·'],
    ['', '·'],
    ['🎬 Film', 'F'],
  ])('for %j shows %s', (title, shown) => {
    expect(initials(title)).toBe(shown)
  })

  it('has one of twelve hues for any text', () => {
    fc.assert(fc.property(anyText, (text) => /^hue-(?:\d|1[01])$/.test(hueClass(text))))
  })

  it('has two characters at most, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        // Up to six code points, because one letter can become three in upper case, for example ΐ.
        expect([...initials(text)].length).toBeLessThanOrEqual(6)
      }),
    )
  })
})
