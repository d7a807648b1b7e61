import { expect, test } from 'vitest'
import { markup, withoutForbiddenCharacters } from './markup.ts'

test('every text in a template is escaped, and parts of the document are not', () => {
  const inner = markup`<b>${'<&"\'>'}</b>`
  expect(markup`<a title="${'"><script>'}">${inner}${[inner, inner]}${null}${7}</a>`.markup).toBe(
    `<a title="&quot;&gt;&lt;script&gt;">${'<b>&lt;&amp;&quot;&#39;&gt;</b>'.repeat(3)}7</a>`,
  )
})

test('characters that XML forbids are dropped, others stay', () => {
  expect(withoutForbiddenCharacters('a\0\x08\v\f\x1f\ufffe\uffff\ud800b\udfffc')).toBe('abc')
  const allowed = '\t\n\r \u007f\u0085\ufffd🎬\u{10ffff}'
  expect(withoutForbiddenCharacters(allowed)).toBe(allowed)
})
