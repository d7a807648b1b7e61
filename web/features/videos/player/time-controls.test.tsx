import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { MultilineText } from '../../../ui/multiline-text.tsx'
import { PlainTextContext } from '../../../ui/plain-text.tsx'
import { type PlayRequest, usePlayRequest } from './play-request.ts'
import { TimedText } from './time-controls.tsx'

afterEach(cleanup)

const requests = vi.fn<(request: PlayRequest | null) => void>()

function Requests() {
  requests(usePlayRequest(sampleBookmark.id))
  return null
}

/** Renders a user's text as a bookmark's page does, and returns the names of its buttons. */
function renderText(content: string, duration: number | null = null): string[] {
  const bookmark = { ...sampleBookmark, video: { ...sampleBookmark.video, duration } }
  const { container } = render(
    <PlainTextContext value={(text) => <TimedText text={text} bookmark={bookmark} />}>
      <MultilineText text={content} />
      <Requests />
    </PlainTextContext>,
  )
  expect(container.textContent).toBe(content)
  return screen.queryAllByRole('button').map((button) => button.getAttribute('aria-label') ?? '')
}

test('times in a text are buttons that play from there, and links stay links', async () => {
  const names = renderText(
    '0:00 Start\n(12:30) the dragon, 1:02:30: credits. https://example.org/12:30 75:00',
  )
  expect(names).toEqual(['Play from 0:00', 'Play from 12:30', 'Play from 1:02:30', 'Play from 75:00'])
  expect(screen.getByRole('link').getAttribute('href')).toBe('https://example.org/12:30')
  await userEvent.click(screen.getByRole('button', { name: 'Play from 12:30' }))
  await userEvent.click(screen.getByRole('button', { name: 'Play from 1:02:30' }))
  await userEvent.click(screen.getByRole('button', { name: 'Play from 75:00' }))
  const request = { bookmarkId: sampleBookmark.id, action: 'link' }
  expect(requests.mock.calls).toEqual([
    [null],
    [{ ...request, seconds: 750 }],
    [{ ...request, seconds: 3750 }],
    [{ ...request, seconds: 4500 }],
  ])
})

test('only times within a known duration are buttons', () => {
  expect(renderText('0:10 and 14:48 and 15:00', 888)).toEqual(['Play from 0:10'])
})

test.each([
  '12:3',
  '12:60',
  '1:60:00',
  '1234:30',
  '12:30:45:10',
  '2024-01-01T12:30:00Z',
  '12:30pm',
  'a1:23',
  '16:9',
  '12:30.5',
  ':',
])('%s is no time in a video', (content) => {
  expect(renderText(content)).toEqual([])
})

test('a long text of digits and colons is rendered quickly', () => {
  const start = performance.now()
  renderText('1:1:1:'.repeat(20_000))
  renderText('1'.repeat(50_000))
  expect(performance.now() - start).toBeLessThan(2_000)
})
