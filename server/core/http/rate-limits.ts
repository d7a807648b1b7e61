/** Token buckets in the database, so that they hold across processes and machines. */
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Viewer } from '../auth/session.ts'
import type { Db } from '../database/database.ts'
import { ApiError } from './errors.ts'
import { limitFor, type RateLimit, type RateLimitName } from './rate-limit-config.ts'

/**
 * Takes one token: of the signed-in user, of whom new ones have fewer, else of the address.
 * @param scale multiplies the limit (RATE_LIMIT_SCALE); 0 turns it off.
 * @throws ApiError('rate-limited') with Retry-After.
 */
export async function consumeRequestToken(
  db: Db,
  name: RateLimitName,
  request: FastifyRequest,
  viewer: Viewer | null,
  scale: number,
): Promise<void> {
  const bucketKey = viewer === null ? ipBucketKey(request.ip) : `user ${viewer.id}`
  const wait = await consumeToken(db, `${name} ${bucketKey}`, limitFor(name, viewer), scale)
  if (wait > 0) throw new ApiError('rate-limited', {}, wait)
}

/** Takes one token of a bucket. Answers 0, or the seconds after which there surely is one again. */
export async function consumeToken(
  db: Db,
  key: string,
  { tokens, seconds }: RateLimit,
  scale: number,
): Promise<number> {
  if (scale === 0) return 0
  const size = Math.max(1, tokens * scale)
  const perSecond = size / seconds
  // A clock behind the one that wrote last must not take tokens away. Refused, the row stays as it is.
  const [taken] = await db`
    insert into rate_limits as r (key, tokens) values (${key}, ${size}::float8 - 1)
    on conflict (key) do update
       set tokens = least(${size}::float8, r.tokens + ${perSecond}::float8
                    * greatest(0, extract(epoch from now() - r.updated_at)::float8)) - 1,
           updated_at = greatest(r.updated_at, now())
     where least(${size}::float8, r.tokens + ${perSecond}::float8
                 * greatest(0, extract(epoch from now() - r.updated_at)::float8)) >= 1
    returning true`
  return taken === undefined ? 1 / perSecond : 0
}

/** Gives one token back to each bucket: what was taken turned out not to count. */
export async function refundTokens(db: Db, keys: string[]): Promise<void> {
  await db`update rate_limits set tokens = tokens + 1 where key = any (${keys})`
}

/**
 * Who an address belongs to, as text: IPv4 as it is, IPv6 by its /64, which is what one customer gets.
 * IPv4 in IPv6 clothes is IPv4. What is no address (a proxy's invention) is one bucket for all.
 */
export function ipBucketKey(address: string): string {
  const bare = address.replace(/%.*$/, '')
  if (isIP(bare) === 4) return bare
  if (isIP(bare) !== 6) return 'no address'
  const mapped = /^(?:0*:){0,5}:?ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped !== undefined && isIP(mapped) === 4) return mapped
  return `${ipv6Prefix(bare)}::/64`
}

/** The first four groups, without leading zeros: `2001:db8::1` → `2001:db8:0:0`. */
function ipv6Prefix(address: string): string {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  // A dotted ending is the last two groups.
  const after = tail === undefined || tail === '' ? [] : tail.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
