/** An authenticator app as people have it, and logins that ask for one. */
import { logIn } from '@reelmark/contract/accounts.ts'
import { CallError } from '@reelmark/contract/protocol/call.ts'
import {
  beginAuthenticator,
  confirmAuthenticator,
  type SecondFactorRequired,
} from '@reelmark/contract/second-factor.ts'
import { Secret, TOTP } from 'otpauth'
import { vi } from 'vitest'
import type { TestApp } from './test-app.ts'
import { failedReply, type TestUser } from './test-users.ts'

/** The code of an app, `steps` times 30 seconds from now. */
export function totpCode(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** Stops the clock, in the middle of a code's 30 seconds; `vi.useRealTimers` starts it again. */
export function freezeClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 })
}

/** So that a code that was not there before is good. */
export function waitForNextCode(): void {
  vi.setSystemTime(Date.now() + 30_000)
}

/** Sets up an app, whose codes up to now are used up. The clock must stand. */
export async function setUpAuthenticator(
  site: TestApp,
  person: TestUser,
): Promise<{ secret: string; recovery_codes: string[] }> {
  const { secret } = await site.call(beginAuthenticator, {}, person)
  const body = { verification_code: totpCode(secret) }
  const { recovery_codes } = await site.call(confirmAuthenticator, { body }, person)
  return { secret, recovery_codes: recovery_codes ?? [] }
}

/** The first step of a login that asks for another. */
export async function passLoginFirstStep(
  site: TestApp,
  { username, password }: Pick<TestUser, 'username' | 'password'>,
  remember = true,
): Promise<SecondFactorRequired> {
  const answer = await failedReply(site.call(logIn, { body: { username, password, remember } }))
  if (answer.status !== 403) throw new CallError(answer.status, answer.body)
  return answer.body as SecondFactorRequired
}
