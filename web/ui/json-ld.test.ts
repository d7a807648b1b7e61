import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scriptSafeJson } from './json-ld.tsx'

it('escapes everything that could end the script element, and stays the same JSON value', () => {
  const fragments = fc.constantFrom('</script>', '<!--', ']]>', '&lt;', '\u2028', 'a')
  fc.assert(
    fc.property(fc.array(fc.oneof(fragments, fc.string())), (texts) => {
      const json = scriptSafeJson({ name: texts.join('') })
      expect(json).not.toMatch(/[<>&\u2028\u2029]/)
      expect(JSON.parse(json)).toEqual({ name: texts.join('') })
    }),
  )
})
