/** When videos count as gone: 10,000 available videos with faults, and videos that disappear, over simulated months. */
import { healthOutcomes } from '@reelmark/contract/video-health.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { combineOutcomes, isFailure, isProof, type Outcome } from './outcome.ts'
import {
  applyCheck,
  applyToHost,
  daysUntilMissing,
  type HealthState,
  type HostState,
  isSuspicious,
  pauseMinutes,
} from './schedule.ts'

const dayMs = 86_400_000
const start = Date.UTC(2026, 0, 1)
const trusted: HostState = { silent_checks: 0, surprise_share: 0, suspicious_since: null }
const trust = { isHostSuspicious: false, random: 0.5 }

const newVideo = (createdAt = start): HealthState => ({
  outcome: null,
  failed_days: 0,
  failed_since: null,
  failed_at: null,
  down_since: null,
  missing_since: null,
  viewed_at: null,
  created_at: new Date(createdAt),
})

/** Returns a repeatable generator of numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const faults: Outcome[] = ['missing', 'private', 'unclear', 'down', 'login-required']

/** What a check of a video says if each response is faulty with the probability `faultRate`. */
function simulateCheck(isThere: boolean, faultRate: number, random: () => number): Outcome {
  const respond = (): Outcome =>
    random() < faultRate
      ? (faults[Math.floor(random() * faults.length)] ?? 'down')
      : isThere
        ? 'available'
        : 'missing'
  const found = [respond()]
  const isDecided = () => found.some((outcome) => isProof(outcome) || outcome === 'login-required')
  if (!isDecided()) found.push(respond())
  if (!isDecided() && found.filter(isFailure).length === 1) found.push(respond())
  return combineOutcomes(found)
}

/** Simulates the checks of one video until `until`. Returns when it counted as gone, or null. */
function simulate(
  video: { diesAt: number; viewedEveryDays: number | null; host: { state: HostState } },
  faultRate: number,
  until: number,
  random: () => number,
): { missingAt: number | null; checks: number; state: HealthState } {
  let state = newVideo()
  let time = start + dayMs * (0.5 + random())
  let checks = 0
  for (; time < until; checks++) {
    const now = new Date(time)
    if (video.viewedEveryDays !== null)
      state.viewed_at = new Date(time - random() * video.viewedEveryDays * dayMs)
    const found = simulateCheck(time < video.diesAt, faultRate, random)
    const isHostSuspicious = isSuspicious(video.host.state, now)
    video.host.state = applyToHost(video.host.state, state, found, now)
    const { next_check_at, ...checked } = applyCheck(state, found, now, {
      isHostSuspicious,
      random: random(),
    })
    state = { ...state, ...checked }
    if (state.missing_since !== null) return { missingAt: time, checks: checks + 1, state }
    time = next_check_at.getTime()
  }
  return { missingAt: null, checks, state }
}

describe('with 5 % faulty responses', () => {
  test('none of 10,000 checks of available videos ends as gone', () => {
    const random = createRandom(20_260_101)
    let checks = 0
    let missingCount = 0
    while (checks < 10_000) {
      const video = { diesAt: Number.POSITIVE_INFINITY, viewedEveryDays: 5, host: { state: trusted } }
      const result = simulate(video, 0.05, start + 365 * dayMs, random)
      checks += result.checks
      if (result.missingAt !== null) missingCount++
    }
    expect(missingCount).toBe(0)
  })

  test.each([
    { viewedEveryDays: 5, deadlineDays: 24 },
    { viewedEveryDays: 60, deadlineDays: 60 },
    { viewedEveryDays: null, deadlineDays: 95 },
  ])('every video that disappears is found within its deadline: %o', ({ viewedEveryDays, deadlineDays }) => {
    const random = createRandom(7)
    const late: number[] = []
    for (let index = 0; index < 2000; index++) {
      const diesAt = start + random() * 300 * dayMs
      const video = { diesAt, viewedEveryDays, host: { state: trusted } }
      const { missingAt } = simulate(video, 0.05, diesAt + 400 * dayMs, random)
      const days = ((missingAt ?? Number.POSITIVE_INFINITY) - diesAt) / dayMs
      if (days > deadlineDays) late.push(days)
    }
    expect(late).toEqual([])
  })
})

test('a video counts as gone after failures on three different days, and since the first of them', () => {
  let state = newVideo()
  const hours = [0, 2, 9, 24, 30, 48]
  const missing = hours.map((hour) => {
    state = { ...state, ...applyCheck(state, 'missing', new Date(start + hour * 3_600_000), trust) }
    return state.missing_since
  })
  expect(missing).toEqual([null, null, null, null, null, new Date(start)])
})

test('for any sequence of checks: gone needs three days of failures since the last proof, and any proof ends it', () => {
  const step = fc.record({
    found: fc.constantFrom(...healthOutcomes),
    hours: fc.integer({ min: 1, max: 24 * 20 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let state = newVideo()
      let time = start
      let days = new Set<string>()
      let downSince: number | null = null
      for (const { found, hours } of steps) {
        time += hours * 3_600_000
        const now = new Date(time)
        const { next_check_at, ...after } = applyCheck(state, found, now, trust)
        state = { ...state, ...after }
        downSince = found === 'down' ? (downSince ?? time) : null
        if (isProof(found)) days = new Set()
        const isDownForGood = downSince !== null && time - downSince >= 30 * dayMs
        if (isFailure(found) || isDownForGood) days.add(now.toISOString().slice(0, 10))
        expect(state.missing_since !== null).toBe(days.size >= daysUntilMissing)
        expect(next_check_at.getTime()).toBeGreaterThanOrEqual(time + dayMs)
        expect(next_check_at.getTime()).toBeLessThanOrEqual(time + 66 * dayMs)
      }
    }),
    { numRuns: 2000 },
  )
})

/** Returns a function that finds 200 videos of a host missing on a day, and returns how many of them count as gone. */
function createMissingHost(video: HealthState) {
  let host: HostState = trusted
  const states = Array.from({ length: 200 }, () => video)
  return (day: number) => {
    for (const [index, state] of states.entries()) {
      const now = new Date(start + day * dayMs + index * 1000)
      const isHostSuspicious = isSuspicious(host, now)
      host = applyToHost(host, state, 'missing', now)
      states[index] = { ...state, ...applyCheck(state, 'missing', now, { isHostSuspicious, random: 0 }) }
    }
    return states.filter(({ missing_since }) => missing_since !== null).length
  }
}

test('a host that says of most videos that they are gone is not believed for two weeks', () => {
  const checkAll = createMissingHost({ ...newVideo(), outcome: 'available' })
  for (let day = 0; day < 13; day++) checkAll(day)
  // Those that were checked before the host was suspicious.
  expect(checkAll(13)).toBeLessThanOrEqual(5)
  for (let day = 14; day < 17; day++) checkAll(day)
  expect(checkAll(17)).toBe(200)
})

test('a host that says so from the first checks on is not believed either', () => {
  const checkAll = createMissingHost(newVideo())
  for (let day = 0; day < 13; day++) checkAll(day)
  expect(checkAll(13)).toBe(0)
  for (let day = 14; day < 19; day++) checkAll(day)
  expect(checkAll(19)).toBe(200)
})

test('a few deleted videos do not make a host suspicious', () => {
  let host: HostState = trusted
  for (let index = 0; index < 500; index++) {
    const found = index % 8 === 0 ? 'missing' : 'available'
    host = applyToHost(host, { outcome: 'available' }, found, new Date(start))
    expect(isSuspicious(host, new Date(start))).toBe(false)
  }
})

test('a host that does not respond is asked less and less often, an hour at most, and normally again once it responds', () => {
  let host: HostState = trusted
  const pauses: number[] = []
  for (let index = 0; index < 14; index++) {
    host = applyToHost(host, { outcome: 'available' }, 'down', new Date(start))
    pauses.push(pauseMinutes(host))
  }
  expect(pauses).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
  host = applyToHost(host, { outcome: 'available' }, 'available', new Date(start))
  expect(pauseMinutes(host)).toBe(0)
})

test('a video of a host that has been down for a month is gone', () => {
  let state = newVideo()
  let missingAfterDays: number | null = null
  for (let day = 0; day < 60 && missingAfterDays === null; day++) {
    state = { ...state, ...applyCheck(state, 'down', new Date(start + day * dayMs), trust) }
    if (state.missing_since !== null) missingAfterDays = day
  }
  expect(missingAfterDays).toBe(32)
})
