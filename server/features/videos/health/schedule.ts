/** Decides when a video counts as gone and when it is checked next. No I/O; property-tested in schedule.test.ts. */
import { isFailure, isProof, type Outcome } from './outcome.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** On how many different days a check must fail before a video counts as gone. */
export const daysUntilMissing = 3
/** A host that has been down for this long counts as gone, with its videos. */
const downDaysUntilFailure = 30

/** What is known about a video before a check. */
export interface HealthState {
  /** Of the last check; null: never checked. */
  outcome: Outcome | null
  /** Different days with a failure since the video was last available. */
  failed_days: number
  /** The first and the last of these failures. */
  failed_since: Date | null
  failed_at: Date | null
  /** Since when the host does not respond; null: it responds. */
  down_since: Date | null
  /** Since when the video is gone; null: it is not. */
  missing_since: Date | null
  /** When it was last opened or played; null: not since it was saved. */
  viewed_at: Date | null
  /** When its first check was planned. */
  created_at: Date
}

export type CheckedState = Pick<
  HealthState,
  'outcome' | 'failed_days' | 'failed_since' | 'failed_at' | 'down_since' | 'missing_since'
> & { next_check_at: Date }

/**
 * Returns the state after a check.
 * @param isHostSuspicious true: the host says of unusually many videos that they are gone, so that failures do not count
 * @param random from 0 to 1: moves the next check by up to a tenth, so that videos saved together are not checked together
 */
export function applyCheck(
  before: HealthState,
  found: Outcome,
  now: Date,
  { isHostSuspicious, random }: { isHostSuspicious: boolean; random: number },
): CheckedState {
  const outcome = isHostSuspicious && isFailure(found) ? 'unclear' : found
  const downSince = outcome === 'down' ? (before.down_since ?? now) : null
  const isDownForGood =
    downSince !== null && now.getTime() - downSince.getTime() >= downDaysUntilFailure * dayMs
  const state = { ...before, outcome, down_since: downSince }
  if (isProof(outcome)) {
    Object.assign(state, { failed_days: 0, failed_since: null, failed_at: null, missing_since: null })
  } else if (isFailure(outcome) || isDownForGood) {
    if (before.failed_at === null || dayOf(before.failed_at) !== dayOf(now)) {
      state.failed_days = Math.min(before.failed_days + 1, daysUntilMissing)
      state.failed_since ??= now
      state.failed_at = now
    }
    if (state.failed_days >= daysUntilMissing) state.missing_since = state.failed_since
  }
  const { failed_days, failed_since, failed_at, missing_since } = state
  const delayMs = delayHours(state, now) * hourMs * (1 + random / 10)
  const next_check_at = new Date(now.getTime() + delayMs)
  return {
    outcome,
    failed_days,
    failed_since,
    failed_at,
    down_since: downSince,
    missing_since,
    next_check_at,
  }
}

/** Returns after how many hours a video is checked again: sooner what users look at, later what nobody looks at. */
function delayHours(state: HealthState, now: Date): number {
  const daysSince = (time: Date) => (now.getTime() - time.getTime()) / dayMs
  if (state.missing_since !== null) return 24 * (daysSince(state.missing_since) < 30 ? 7 : 30)
  // At least a day, so that two failures in a row are on different days.
  if (state.failed_days > 0) return 24
  if (state.outcome === 'down') return 24
  if (state.outcome === 'unclear') return 24 * 7
  if (state.outcome === 'login-required') return 24 * 14
  const days = daysSince(state.viewed_at ?? state.created_at)
  if (state.viewed_at !== null && days < 7) return 24 * 3
  return 24 * (days < 180 ? 30 : 60)
}

/** The day in UTC. */
function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** What the last checks of a host said. */
export interface HostState {
  /** Checks in a row that said nothing about the video: the host was down or sent an interstitial. */
  silent_checks: number
  /** From 0 to 1: how many of the last videos that were available before, or never checked, are gone. Newer checks weigh more. */
  surprise_share: number
  /** Since when the host says of unusually many videos that they are gone; null: it does not. */
  suspicious_since: Date | null
}

/** A host that claims this share of its videos to be gone has an outage or changed its responses. */
const suspiciousShare = 0.4
const trustedShare = 0.2
/** What a check of a video that was available before contributes to the share. */
const surpriseWeight = 0.1
/** What the first check of a video contributes: less, because an import of an old library contains videos that are gone. */
const firstCheckWeight = 0.05
/** After so many days the host means it. */
const suspiciousDays = 14
const maxPauseMinutes = 60

/** Returns the state of a host after a check of one of its videos. `before` is what was known about the video. */
export function applyToHost(
  host: HostState,
  before: Pick<HealthState, 'outcome'>,
  found: Outcome,
  now: Date,
): HostState {
  const silent = found === 'down' || found === 'unclear'
  const weight = before.outcome === null ? firstCheckWeight : isProof(before.outcome) ? surpriseWeight : 0
  const share = silent
    ? host.surprise_share
    : host.surprise_share * (1 - weight) + (isFailure(found) ? weight : 0)
  let suspiciousSince = host.suspicious_since
  if (share > suspiciousShare) suspiciousSince ??= now
  else if (share < trustedShare) suspiciousSince = null
  return {
    silent_checks: silent ? Math.min(host.silent_checks + 1, 100) : 0,
    surprise_share: share,
    suspicious_since: suspiciousSince,
  }
}

/** Returns whether failures of videos of a host do not count at present. */
export function isSuspicious({ suspicious_since }: HostState, now: Date): boolean {
  return suspicious_since !== null && now.getTime() - suspicious_since.getTime() < suspiciousDays * dayMs
}

/** How many silent checks in a row mean that the host is down or does not want to be asked. */
export const silentChecksUntilPause = 5

/** Returns for how many minutes a host is not asked after its last checks: 0, or twice as long after each silent one. */
export function pauseMinutes({ silent_checks }: HostState): number {
  const beyond = silent_checks - silentChecksUntilPause
  return beyond < 0 ? 0 : Math.min(2 ** beyond, maxPauseMinutes)
}
