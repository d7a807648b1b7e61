import { render } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { MultilineText } from './multiline-text.tsx'

/** The links of a comment: where each leads, and what is shown of it. */
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
  ])('%s was written', (content, shown) => {
    expect(linkTargets(content)).toEqual([[content, shown]])
  })

  test.each([
    ['Cyrillic letters that look like others', 'https://\u0430pple.com/x', 'https://xn--pple-43d.com/x'],
    ['letters of another width', 'https://ｙoutube.com/', 'https://youtube.com/'],
    ['a full stop of another script', 'https://youtube。evil.example/', 'https://youtube.evil.example/'],
    ['nothing visible in its host', 'https://you\u200btube.com/', 'https://youtube.com/'],
    ['a number', 'https://2130706433/', 'https://127.0.0.1/'],
    ['a slash that leans back', 'https://evil.example\\@youtube.com', 'https://evil.example\\@youtube.com'],
    ['a turned direction', 'https://evil.example/\u202egpj.exe', 'https://evil.example/%E2%80%AEgpj.exe'],
    [
      'a space that has no width',
      'https://evil.example/\u200b\u2066x',
      'https://evil.example/%E2%80%8B%E2%81%A6x',
    ],
  ])('where it leads, with %s', (_what, content, shown) => {
    const [[href, text] = []] = linkTargets(`see ${content} there`)
    expect(text).toBe(shown)
    expect(new URL(href ?? '').href).toBe(new URL(content).href)
  })

  test.each(['.', ',', '!', '?', '...', '")', '»', '”.', '。', '、', '！', '）', '」', '…'])(
    'no part of the sentence around it: %s',
    (end) => {
      expect(linkTargets(`(see https://example.org/a${end} and`)).toEqual([
        ['https://example.org/a', 'https://example.org/a'],
      ])
    },
  )
})

test('a link says nothing of us, and gives nothing to whom it leads to', () => {
  const { container } = render(<MultilineText text="https://example.org/" />)
  const link = container.querySelector('a')
  expect([link?.rel, link?.target]).toEqual(['nofollow ugc noopener', '_blank'])
})

test('what is written is written as it was, whatever it is', () => {
  const content = 'one\n\ntwo <b>x</b> \u202eturned\u202c a\u0301\u0316 &amp; https://example.org/ end'
  const { container } = render(<MultilineText text={content} />)
  expect(container.textContent).toBe(content)
  expect(container.querySelector('b')).toBeNull()
})
