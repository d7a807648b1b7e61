/**
 * Limits guessing of second factors by someone who knows the password. A ticket allows a few attempts; this limit
 * counts across tickets, and per account, because an attacker may use any number of addresses.
 */
import type { FastifyRequest } from 'fastify'
import { isStillTrusted, readTrustedDevice } from '../../../core/auth/trusted-device.ts'
import type { Deps } from '../../../core/deps.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { rateLimits } from '../../../core/http/rate-limit-config.ts'
import { consumeToken, ipBucketKey, refundTokens } from '../../../core/http/rate-limits.ts'
import { mailSecurityChange } from '../accounts/sign-in-methods.ts'
import type { readCode } from './rules.ts'

type CodeKind = ReturnType<typeof readCode>['kind']

/**
 * Counts a code as wrong before it is checked. Codes from a trusted device count separately, so that the owner can log
 * in there whatever others try.
 * @returns a function that removes the attempt from the count, to be called if the code was right
 * @throws ApiError('login-rate-limited') with Retry-After; the owner gets a mail, at most once a day
 */
export async function registerCodeAttempt(
  deps: Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings'>,
  request: FastifyRequest,
  userId: number,
  kind: CodeKind,
): Promise<() => Promise<void>> {
  const { db } = deps
  const scale = deps.settings.rateLimitScale
  if (scale === 0) return async () => {}
  const device = readTrustedDevice(request)
  const [found] = await db`select from users where id = ${userId} and ${isStillTrusted(db, device)}`
  const deviceNonce = found === undefined ? null : device?.nonce
  const [key, limit] =
    kind === 'recovery_code'
      ? [`recovery code ${userId} ${deviceNonce ?? ipBucketKey(request.ip)}`, rateLimits['recovery-code']]
      : [`second step ${userId} ${deviceNonce ?? 'untrusted'}`, rateLimits['second-factor-code']]
  const wait = await consumeToken(db, key, limit, scale)
  if (wait === 0) return () => refundTokens(db, [key])
  await db.begin(async (tx) => {
    const mailWait = await consumeToken(
      tx,
      `second step mail ${userId}`,
      rateLimits['second-factor-code-mail'],
      1,
    )
    if (mailWait === 0) await mailSecurityChange(tx, deps, userId, 'second step failing')
  })
  throw new ApiError('login-rate-limited', {}, wait)
}
