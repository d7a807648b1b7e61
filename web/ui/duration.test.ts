import { describe, expect, it } from 'vitest'
import { clockDuration, durationText, isoDuration } from './duration.ts'

describe('a duration', () => {
  it.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [3_599, '59 minutes'],
    [3_600, '1 hour'],
    [86_399, '23 hours'],
    [172_800, '2 days'],
  ])('of %i seconds is told as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text)
  })

  it.each([
    [0, '0:00'],
    [48, '0:48'],
    [634, '10:34'],
    [3_671, '1:01:11'],
    [360_000, '100:00:00'],
  ])('of %i seconds stands on a picture as %s', (seconds, text) => {
    expect(clockDuration(seconds)).toBe(text)
  })

  it('is told to search engines in ISO 8601', () => {
    expect(isoDuration(634)).toBe('PT634S')
  })
})
