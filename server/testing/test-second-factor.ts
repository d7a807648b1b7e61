/** An authenticator app in tests, and logins with a second step. */
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

/** Returns the app's code for the moment `steps` × 30 seconds from now. */
export function totpCode(secret: string, steps = 0): string {
  const timestamp = Date.now() + steps * 30_000
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
}

/** Stops the clock in the middle of a code's 30 seconds. `vi.useRealTimers` starts it again. */
export function freezeClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 })
}

/** Moves the stopped clock to the next code. */
export function waitForNextCode(): void {
  vi.setSystemTime(Date.now() + 30_000)
}

/** Sets up an authenticator app, which uses up the current code. The clock must be stopped. */
export async function setUpAuthenticator(
  site: TestApp,
  user: TestUser,
): Promise<{ secret: string; recovery_codes: string[] }> {
  const { secret } = await site.call(beginAuthenticator, {}, user)
  const body = { verification_code: totpCode(secret) }
  const { recovery_codes } = await site.call(confirmAuthenticator, { body }, user)
  return { secret, recovery_codes: recovery_codes ?? [] }
}

/** Passes the first step of a login and returns the error body that names the second step. */
export async function passLoginFirstStep(
  site: TestApp,
  { username, password }: Pick<TestUser, 'username' | 'password'>,
  remember = true,
): Promise<SecondFactorRequired> {
  const reply = await failedReply(site.call(logIn, { body: { username, password, remember } }))
  if (reply.status !== 403) throw new CallError(reply.status, reply.body)
  return reply.body as SecondFactorRequired
}
