/**
 * Holds back who has a password and tries codes with it. A ticket is good for a few; this counts across tickets, per
 * account, because whoever has the password has any number of addresses too.
 */
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../app.ts'
import { ApiError } from '../../core/errors.ts'
import { rateLimits } from '../../core/rate-limit-table.ts'
import { addressKey, giveBack, takeFrom } from '../../core/rate-limits.ts'
import { readDevice } from '../../core/trusted-device.ts'
import { tellOfChange } from '../accounts/cards.ts'
import type { readCode } from './rules.ts'

type Kind = ReturnType<typeof readCode>['kind']

/**
 * Counts a code as wrong before it is tried. Those from a trusted device are counted by themselves: the owner gets in
 * there whatever others try.
 * @returns what takes that back, for when it was right.
 * @throws ApiError('too-many-logins') with Retry-After; the owner is told by mail, once a day.
 */
export async function countCode(
  deps: Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings'>,
  request: FastifyRequest,
  userId: number,
  kind: Kind,
): Promise<() => Promise<void>> {
  const { db } = deps
  const scale = deps.settings.rateLimitScale
  if (scale === 0) return async () => {}
  const device = readDevice(request)
  const from = device?.user_id === userId ? device.nonce : null
  const [key, limit] =
    kind === 'recovery_code'
      ? [`recovery code ${userId} ${from ?? addressKey(request.ip)}`, rateLimits['recovery code']]
      : [`second step ${userId} ${from ?? 'untrusted'}`, rateLimits['second step']]
  const wait = await takeFrom(db, key, limit, scale)
  if (wait === 0) return () => giveBack(db, [key])
  await db.begin(async (tx) => {
    const told = await takeFrom(tx, `second step mail ${userId}`, rateLimits['second step mail'], 1)
    if (told === 0) await tellOfChange(tx, deps, userId, 'second step failing')
  })
  throw new ApiError('too-many-logins', {}, wait)
}
