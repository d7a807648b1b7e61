import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPositionReporter } from './position-reporter.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Returns a reporter, the stored positions, and a function that plays the video: it reports four times a second. */
function start(save: (seconds: number) => Promise<boolean> = async () => true) {
  const saved: number[] = []
  const reporter = createPositionReporter((seconds) => {
    saved.push(seconds)
    return save(seconds)
  })
  async function play(from: number, to: number) {
    for (let time = from; time < to; time += 0.25) {
      reporter.report(time)
      await vi.advanceTimersByTimeAsync(250)
    }
  }
  return { reporter, saved, play }
}

test('the position is stored about every ten seconds while the video plays', async () => {
  const { saved, play } = start()
  await play(0, 60)
  expect(saved).toEqual([15, 25, 35, 45, 55])
})

test('the position is stored two seconds after the video was paused, once', async () => {
  const { reporter, saved, play } = start()
  await play(100, 104)
  expect(saved).toEqual([])
  for (let n = 0; n < 20; n++) {
    reporter.report(103.75)
    await vi.advanceTimersByTimeAsync(250)
  }
  expect(saved).toEqual([103])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(saved).toEqual([103])
})

test('the position is stored at once when the page is hidden', async () => {
  const { reporter, saved, play } = start()
  await play(30, 32)
  reporter.flush()
  reporter.flush()
  expect(saved).toEqual([31])
})

test('the first seconds and impossible times are not stored', async () => {
  const { reporter, saved } = start()
  for (const time of [0, 4.9, 1e9, Number.NaN]) reporter.report(time)
  reporter.flush()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(saved).toEqual([])
})

test('after the end nothing is stored until the video plays again', async () => {
  const { reporter, saved, play } = start()
  await play(100, 101)
  reporter.end()
  await play(119, 120)
  reporter.flush()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(saved).toEqual([])
  reporter.resume()
  await play(20, 21)
  reporter.flush()
  expect(saved).toEqual([20])
})

test('a failed request is repeated with the next report, and a paused history stops the requests', async () => {
  const outcomes = [() => Promise.reject(new Error('offline')), async () => false]
  const { reporter, saved, play } = start(() => (outcomes.shift() ?? (async () => true))())
  await play(30, 31)
  reporter.flush()
  await vi.advanceTimersByTimeAsync(0)
  reporter.flush()
  await vi.advanceTimersByTimeAsync(0)
  await play(40, 80)
  expect(saved).toEqual([30, 30])
})
