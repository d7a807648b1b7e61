import { render } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { MultilineText } from './multiline-text.tsx'

/** Returns the links of a comment: target and text. */
function linkTargets(content: string): [href: string | null, shown: string | null][] {
  const { container } = render(<MultilineText text={content} />)
  return [...container.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link.textContent])
}

test.each([
  'javascript:alert(1)',
  'JAVASCRIPT://example.org/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://example.org/',
  'mailto:ana@example.org',
  '//example.org/',
  'www.example.org',
  'https://',
  'https://?',
  'http:// example.org',
  'https://user@example.org/',
  'https://youtube.com:80@evil.example/',
  'https://%/',
  '<a href="https:evil.example">x</a>',
])('%s is no link', (content) => {
  expect(linkTargets(content)).toEqual([])
})

describe('a link is shown as', () => {
  test.each([
    ['https://example.org/', 'https://example.org/'],
    ['HTTPS://Example.ORG/A', 'HTTPS://Example.ORG/A'],
    ['https://example.org/日本?q=é#ä', 'https://example.org/日本?q=é#ä'],
    ['https://example.org/a(b)', 'https://example.org/a(b)'],
  ])('the user wrote it: %s', (content, shown) => {
    expect(linkTargets(content)).toEqual([[content, shown]])
  })

  test.each([
    ['Cyrillic look-alike letters', 'https://\u0430pple.com/x', 'https://xn--pple-43d.com/x'],
    ['full-width letters', 'https://ｙoutube.com/', 'https://youtube.com/'],
    ['an ideographic full stop', 'https://youtube。evil.example/', 'https://youtube.evil.example/'],
    ['an invisible character in the host', 'https://you\u200btube.com/', 'https://youtube.com/'],
    ['a host written as a number', 'https://2130706433/', 'https://127.0.0.1/'],
    ['a backslash', 'https://evil.example\\@youtube.com', 'https://evil.example\\@youtube.com'],
    [
      'a character that reverses the direction',
      'https://evil.example/\u202egpj.exe',
      'https://evil.example/%E2%80%AEgpj.exe',
    ],
    [
      'zero-width characters',
      'https://evil.example/\u200b\u2066x',
      'https://evil.example/%E2%80%8B%E2%81%A6x',
    ],
  ])('the browser requests it, with %s', (_what, content, shown) => {
    const [[href, text] = []] = linkTargets(`see ${content} there`)
    expect(text).toBe(shown)
    expect(new URL(href ?? '').href).toBe(new URL(content).href)
  })

  test.each(['.', ',', '!', '?', '...', '")', '»', '”.', '。', '、', '！', '）', '」', '…'])(
    'without punctuation of the sentence: %s',
    (end) => {
      expect(linkTargets(`(see https://example.org/a${end} and`)).toEqual([
        ['https://example.org/a', 'https://example.org/a'],
      ])
    },
  )
})

test('links send no referrer and pass no ranking to their target', () => {
  const { container } = render(<MultilineText text="https://example.org/" />)
  const link = container.querySelector('a')
  expect([link?.rel, link?.target]).toEqual(['nofollow ugc noopener', '_blank'])
})

test('any text is rendered unchanged', () => {
  const content = 'one\n\ntwo <b>x</b> \u202eturned\u202c a\u0301\u0316 &amp; https://example.org/ end'
  const { container } = render(<MultilineText text={content} />)
  expect(container.textContent).toBe(content)
  expect(container.querySelector('b')).toBeNull()
})
