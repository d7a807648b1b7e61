import { describe, expect, it } from 'vitest'
import { clockDuration, durationText, isoDuration, lengthText } from './duration.ts'

describe('duration texts', () => {
  it.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [3_599, '59 minutes'],
    [3_600, '1 hour'],
    [86_399, '23 hours'],
    [172_800, '2 days'],
  ])('show %i seconds as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text)
  })

  it.each([
    [0, '0:00'],
    [48, '0:48'],
    [634, '10:34'],
    [3_671, '1:01:11'],
    [360_000, '100:00:00'],
  ])('show %i seconds on a thumbnail as %s', (seconds, text) => {
    expect(clockDuration(seconds)).toBe(text)
  })

  it.each([
    [1, '1 min'],
    [3_540, '59 min'],
    [3_590, '1 h'],
    [18_720, '5 h 12 min'],
  ])('show %i seconds of several videos as %s', (seconds, text) => {
    expect(lengthText(seconds)).toBe(text)
  })

  it('use ISO 8601 for search engines', () => {
    expect(isoDuration(634)).toBe('PT634S')
  })
})
