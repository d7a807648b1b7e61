import { expect, test } from 'vitest'
import { describePage, type FrameDetails } from './page-details.ts'

const frame = (details: Partial<FrameDetails> = {}): FrameDetails => ({
  previewTitle: '',
  keywords: '',
  videos: [],
  ...details,
})

test('the title for link previews replaces a longer title of the tab, and its keywords are suggested', () => {
  const page = frame({ previewTitle: 'The Lighthouse', keywords: 'Sea, lighthouse ,, sea' })
  expect(describePage('The Lighthouse | Coast Films', [page])).toEqual({
    title: 'The Lighthouse',
    keywords: ['sea', 'lighthouse'],
    seconds: null,
  })
})

test('the description of an earlier page in the same document is ignored', () => {
  const page = frame({ previewTitle: 'An earlier video', keywords: 'earlier' })
  expect(describePage('The Lighthouse', [page])).toMatchObject({ title: 'The Lighthouse', keywords: [] })
  expect(describePage('', [])).toEqual({ title: '', keywords: [], seconds: null })
})

test('the time is that of the playing video, otherwise of the largest one', () => {
  const large = { seconds: 30, area: 900, isPlaying: false }
  const small = { seconds: 12, area: 100, isPlaying: false }
  const seconds = (...videos: FrameDetails['videos'][]) =>
    describePage('', [frame(), ...videos.map((list) => frame({ videos: list }))]).seconds
  expect(seconds([small], [large])).toBe(30)
  expect(seconds([large, { ...small, isPlaying: true }])).toBe(12)
  expect(seconds([{ ...large, seconds: 0 }])).toBeNull()
  expect(seconds()).toBeNull()
})
