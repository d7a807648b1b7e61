import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText, urlPart } from '../../testing/any-text.ts'
import { normaliseUrl } from './normalise-url.ts'

test.each([
  ['HTTPS://Example.COM:443/A/b?x=1#top', 'https://example.com/A/b?x=1'],
  ['  https://example.com./  ', 'https://example.com/'],
  ['http://example.com:80', 'http://example.com/'],
  ['http://example.com:8080/', 'http://example.com:8080/'],
  ['//example.com/x', 'https://example.com/x'],
  ['youtube.com/watch?v=aqz-KE-bpKQ', 'https://youtube.com/watch?v=aqz-KE-bpKQ'],
  ['example.com:8443/x', 'https://example.com:8443/x'],
  ['https://example.com/?utm_source=a&b=2&fbclid=x&utm_medium=c&a=1', 'https://example.com/?b=2&a=1'],
  ['https://example.com/?gclid=x', 'https://example.com/'],
  ['https://example.com/?&&a=1&', 'https://example.com/?a=1'],
  ['https://youtu.be/aqz-KE-bpKQ?si=abc&t=5', 'https://youtu.be/aqz-KE-bpKQ?t=5'],
  [
    'https://www.youtube.com/watch?v=aqz-KE-bpKQ&feature=share&pp=x',
    'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
  ],
  ['https://x.com/a/status/1?s=20&t=abc', 'https://x.com/a/status/1'],
  ['https://example.com/#!/v/1', 'https://example.com/#!/v/1'],
  ['https://example.com/app#/watch/2', 'https://example.com/app#/watch/2'],
  ['https://example.com/a%2Fb?q=%E2%9C%93+x', 'https://example.com/a%2Fb?q=%E2%9C%93+x'],
  ['https://münchen.example/ü', 'https://xn--mnchen-3ya.example/%C3%BC'],
])('%s becomes %s', (text, url) => {
  expect(normaliseUrl(text)).toBe(url)
})

test.each([
  ['https://example.com/search?si=1&feature=x&s=2&t=3&ref=main', 'the same names elsewhere'],
  ['https://example.com/?b=2&a=1&a=0', 'order and repetition'],
])('%s is not changed: %s', (url) => {
  expect(normaliseUrl(url)).toBe(url)
})

test.each([
  '',
  'just words',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://example.com/',
  'file:///etc/passwd',
  'mailto:a@example.com',
  'https://user:secret@example.com/',
  'https://user@example.com/',
  'https://',
  'https://exa mple.com/',
  'localhost',
])('%j is not a link to a page', (text) => {
  expect(normaliseUrl(text)).toBeNull()
})

test('normalising is idempotent for any text', () => {
  const url = fc
    .tuple(fc.domain(), urlPart, urlPart, urlPart)
    .map(([host, path, query, hash]) => `https://${host}/${path}?${query}#${hash}`)
  const texts = fc.oneof(fc.string(), url, anyText)
  fc.assert(
    fc.property(texts, (text) => {
      const once = normaliseUrl(text)
      if (once !== null) expect(normaliseUrl(once)).toBe(once)
    }),
    { numRuns: 1000 },
  )
})
