import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scriptSafeJson } from './json-ld.tsx'

it('cannot end the script that it stands in, and still says the same', () => {
  const words = fc.constantFrom('</script>', '<!--', ']]>', '&lt;', '\u2028', 'a')
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string())), (texts) => {
      const json = scriptSafeJson({ name: texts.join('') })
      expect(json).not.toMatch(/[<>&\u2028\u2029]/)
      expect(JSON.parse(json)).toEqual({ name: texts.join('') })
    }),
  )
})
