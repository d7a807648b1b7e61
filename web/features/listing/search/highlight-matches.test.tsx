import { cleanup, render } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { createTitleRenderer } from './highlight-matches.tsx'

afterEach(cleanup)

/** Returns the title as text, with the marked parts in brackets. */
function mark(search: string, title: string, corrected?: { word: string; replacements: string[] }[]): string {
  const { container } = render(<p>{createTitleRenderer(search, corrected)(title)}</p>)
  for (const match of container.querySelectorAll('mark')) match.textContent = `[${match.textContent}]`
  return container.textContent ?? ''
}

test.each([
  ['cat', 'The cat and the Cats', 'The [cat] and the Cats'],
  ['cafe STRASSE', 'Café an der Straße', '[Café] an der [Straße]'],
  ['dont', "Don't look", "[Don't] look"],
  ['sci-fi', 'Old sci-fi films', 'Old [sci]-[fi] films'],
  ['"slow train"', 'Slow food, slow train', 'Slow food, [slow] [train]'],
  ['"a b a"', 'a b a b a c a', '[a] [b] [a] [b] [a] c a'],
  ['-cat dog', 'cat dog', 'cat [dog]'],
  ['tag:cat user:dog is:watched', 'cat dog watched', 'cat dog watched'],
  ['<b>', 'a <b>bold</b> move', 'a <[b]>bold</[b]> move'],
  ['', 'nothing', 'nothing'],
])('a search for %j marks %j as %j', (search, title, expected) => {
  expect(mark(search, title)).toBe(expected)
})

test('words that replace misspelt ones are marked', () => {
  expect(mark('spce', 'Deep space', [{ word: 'spce', replacements: ['space'] }])).toBe('Deep [space]')
})

test('marking never changes the text of a title', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (search, title) => {
      const { container } = render(<p>{createTitleRenderer(`${search} ${title}`)(title)}</p>)
      expect(container.textContent).toBe(title)
      cleanup()
    }),
  )
})
