import { describe, expect, it } from 'vitest'
import { relativeTime } from './relative-time.tsx'

const now = new Date('2026-03-10T12:00:00Z')
const timeBefore = (seconds: number) =>
  relativeTime(new Date(now.getTime() - seconds * 1000), now, 'en', 'UTC')

describe('relative time', () => {
  it.each([
    [0, 'just now'],
    [59, 'just now'],
    [60, '1 minute ago'],
    [119, '1 minute ago'],
    [3_599, '59 minutes ago'],
    [3_600, '1 hour ago'],
    [86_399, '23 hours ago'],
    [86_400, '1 day ago'],
    [7 * 86_400 - 1, '6 days ago'],
    [7 * 86_400, 'Mar 3, 2026'],
  ])('of %i seconds ago is %s', (seconds, text) => {
    expect(timeBefore(seconds)).toBe(text)
  })

  it('of a time in the future is just now', () => {
    expect(timeBefore(-90)).toBe('just now')
  })
})
