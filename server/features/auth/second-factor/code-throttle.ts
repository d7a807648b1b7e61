/**
 * Holds back who has a password and tries codes with it. A ticket is good for a few; this counts across tickets, per
 * account, because whoever has the password has any number of addresses too.
 */
import type { FastifyRequest } from 'fastify'
import { readTrustedDevice } from '../../../core/auth/trusted-device.ts'
import type { Deps } from '../../../core/deps.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { rateLimits } from '../../../core/http/rate-limit-config.ts'
import { consumeToken, ipBucketKey, refundTokens } from '../../../core/http/rate-limits.ts'
import { mailSecurityChange } from '../accounts/sign-in-methods.ts'
import type { readCode } from './rules.ts'

type CodeKind = ReturnType<typeof readCode>['kind']

/**
 * Counts a code as wrong before it is tried. Those from a trusted device are counted by themselves: the owner gets in
 * there whatever others try.
 * @returns what takes that back, for when it was right.
 * @throws ApiError('login-rate-limited') with Retry-After; the owner is told by mail, once a day.
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
  const from = device?.user_id === userId ? device.nonce : null
  const [key, limit] =
    kind === 'recovery_code'
      ? [`recovery code ${userId} ${from ?? ipBucketKey(request.ip)}`, rateLimits['recovery-code']]
      : [`second step ${userId} ${from ?? 'untrusted'}`, rateLimits['second-factor-code']]
  const wait = await consumeToken(db, key, limit, scale)
  if (wait === 0) return () => refundTokens(db, [key])
  await db.begin(async (tx) => {
    const told = await consumeToken(
      tx,
      `second step mail ${userId}`,
      rateLimits['second-factor-code-mail'],
      1,
    )
    if (told === 0) await mailSecurityChange(tx, deps, userId, 'second step failing')
  })
  throw new ApiError('login-rate-limited', {}, wait)
}
