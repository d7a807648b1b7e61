import { describe, expect, test } from 'vitest'
import { isHttpUrl, parseUrl } from './parse-url.ts'

describe('a URL', () => {
  test.each([
    ['https://example.org/a?b#c', undefined, 'https://example.org/a?b#c'],
    [' \thttps://exa\nmple.org/', undefined, 'https://example.org/'],
    ['//cdn.example/x.png', 'https://example.org/a/', 'https://cdn.example/x.png'],
    [`${'x'.repeat(200)}/y`, 'https://example.org/a/', `https://example.org/a/${'x'.repeat(200)}/y`],
    [`https://example.org/${'ä'.repeat(1000)}`, undefined, `https://example.org/${'%C3%A4'.repeat(1000)}`],
  ])('%s is parsed', (text, base, href) => expect(parseUrl(text, base)?.href).toBe(href))

  test.each(['', 'a b', 'https://', 'https://exa mple.org/'])('"%s" is not a URL', (text) =>
    expect(parseUrl(text)).toBe(null),
  )
})

describe('a URL with a host that is too long is refused without converting the host', () => {
  const host = Array.from({ length: 5000 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('')
  test.each([
    `https://${host}.example/`,
    `https:${host}.example/`,
    `https:\\\\${host}.example\\x`,
    `\u0001 ht\ttps:/\n/${host}.example/`,
    `//${host}.example/`,
  ])('%#', (text) => {
    expect(parseUrl(text, 'https://example.org/')).toBe(null)
    expect(isHttpUrl(text)).toBe(false)
  })

  test('up to the limit of 253 characters it is accepted', () => {
    const label = 'a'.repeat(49)
    const longest = `${`${label}.`.repeat(5)}org`
    expect(longest.length).toBe(253)
    expect(isHttpUrl(`https://${longest}:8443/`)).toBe(true)
    expect(isHttpUrl(`https://a${longest}/`)).toBe(false)
  })
})
