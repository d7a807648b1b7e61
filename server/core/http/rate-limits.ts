/**
 * Rate limits as token buckets: in the database, so that all processes and machines share them, or in the memory of the
 * process (docs/decisions/0030-limits-on-every-request.md).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Viewer } from '../auth/session.ts'
import type { Db } from '../database/database.ts'
import { ApiError } from './errors.ts'
import { createProcessBuckets, type ProcessBuckets } from './process-buckets.ts'
import { limitFor, type RateLimit, type RateLimitName, rateLimits } from './rate-limit-config.ts'

declare module 'fastify' {
  interface FastifyInstance {
    processBuckets: ProcessBuckets
  }
  interface FastifyContextConfig {
    /** The limit per address that is checked before anything else; default: `request`. Null for health checks. */
    addressLimit?: RateLimitName | null
  }
}

/** Set during the calls that a page makes in this process. */
const uncounted = new AsyncLocalStorage<true>()

/**
 * Makes calls in this process that no limit counts, for a page whose request was counted. The page is shared by many
 * visitors (visitor-cache.ts), so the limits of the visitor who requested it first must not affect its content.
 */
export function callUncounted<T>(call: () => Promise<T>): Promise<T> {
  // Awaited inside, because an injected call starts only when it is awaited.
  return uncounted.run(true, async () => await call())
}

/** Limits the requests of each address, whatever their route, before their token is read. */
export function registerRateLimits(app: FastifyInstance): void {
  const scale = app.deps.settings.rateLimitScale
  const buckets = createProcessBuckets()
  app.decorate('processBuckets', buckets)
  app.addHook('onRequest', (request, _reply, done) => {
    const { addressLimit: name = 'request' } = request.routeOptions.config
    if (name === null || uncounted.getStore()) return done()
    const wait = buckets.consume(`${name} ${ipBucketKey(request.ip)}`, rateLimits[name], scale)
    if (wait > 0) throw new ApiError('rate-limited', {}, wait)
    done()
  })
}

/** Takes the token of a request from the bucket of its address. Takes none and returns false if it is empty. */
export function takeAddressToken({ processBuckets, deps }: FastifyInstance, ip: string): boolean {
  return processBuckets.consume(addressKey(ip), rateLimits.request, deps.settings.rateLimitScale) === 0
}

/** Returns the token of a request that Fastify will count. */
export function refundAddressToken({ processBuckets }: FastifyInstance, ip: string): void {
  processBuckets.refund(addressKey(ip))
}

function addressKey(ip: string): string {
  return `request ${ipBucketKey(ip)}`
}

/**
 * Takes the tokens of a visitor's call from the buckets of their address: that of every request, and that of the endpoint.
 * Takes none and returns false if a bucket is empty or is in the database: the hooks that run then take them.
 * @param name the limit of the endpoint
 */
export function takeVisitorTokens(app: FastifyInstance, ip: string, name: RateLimitName): boolean {
  if (!takeAddressToken(app, ip)) return false
  if (takeEndpointToken(app, name, ipBucketKey(ip), null)) return true
  refundAddressToken(app, ip)
  return false
}

/** Takes the token of a signed-in user's call of an endpoint. Takes none and returns false if the bucket is empty or in the database. */
export function takeViewerToken(app: FastifyInstance, name: RateLimitName, viewer: Viewer): boolean {
  return takeEndpointToken(app, name, `user ${viewer.id}`, viewer)
}

function takeEndpointToken(
  { processBuckets, deps }: FastifyInstance,
  name: RateLimitName,
  bucketKey: string,
  viewer: Viewer | null,
): boolean {
  const limit = limitFor(name, viewer)
  const scale = deps.settings.rateLimitScale
  return limit.perProcess === true && processBuckets.consume(`${name} ${bucketKey}`, limit, scale) === 0
}

/**
 * Takes one token from the bucket of the viewer, or from that of the address for visitors. Returns a promise only if the
 * bucket is in the database.
 * @param scale multiplies the limit (RATE_LIMIT_SCALE); 0 turns it off
 * @throws ApiError('rate-limited') with Retry-After if the bucket is empty
 */
export function consumeRequestToken(
  db: Db,
  name: RateLimitName,
  request: FastifyRequest,
  viewer: Viewer | null,
  scale: number,
): Promise<void> | undefined {
  if (scale === 0 || uncounted.getStore()) return undefined
  const bucketKey = viewer === null ? ipBucketKey(request.ip) : `user ${viewer.id}`
  const limit = limitFor(name, viewer)
  const refuseIfEmpty = (wait: number) => {
    if (wait > 0) throw new ApiError('rate-limited', {}, wait)
  }
  if (!limit.perProcess) return consumeToken(db, `${name} ${bucketKey}`, limit, scale).then(refuseIfEmpty)
  refuseIfEmpty(request.server.processBuckets.consume(`${name} ${bucketKey}`, limit, scale))
  return undefined
}

/** Takes one token from a bucket. Returns 0, or the number of seconds after which a token is certainly available. */
export async function consumeToken(
  db: Db,
  key: string,
  { tokens, seconds }: RateLimit,
  scale: number,
): Promise<number> {
  if (scale === 0) return 0
  const size = Math.max(1, tokens * scale)
  const perSecond = size / seconds
  // A clock that is behind must not remove tokens. If the bucket is empty, the row stays as it is.
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

/** Returns one token to each bucket, for calls that turned out not to count. */
export async function refundTokens(db: Db, keys: string[]): Promise<void> {
  await db`update rate_limits set tokens = tokens + 1 where key = any (${keys})`
}

/**
 * Returns the bucket key of an address: IPv4 addresses as they are, IPv6 addresses by their /64 prefix, which is what
 * one customer has. IPv4-mapped IPv6 addresses count as IPv4. Invalid addresses share one bucket.
 */
export function ipBucketKey(address: string): string {
  const bare = address.replace(/%.*/s, '')
  if (isIP(bare) === 4) return bare
  if (isIP(bare) !== 6) return 'no address'
  const mapped = /^(?:0*:){0,5}:?ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped !== undefined && isIP(mapped) === 4) return mapped
  return `${ipv6Prefix(bare)}::/64`
}

/**
 * Returns the bucket keys of the /56 and the /48 of an IPv6 address, which is what one customer of many providers has;
 * an empty list for other addresses.
 */
export function ipv6Networks(address: string): string[] {
  const key = ipBucketKey(address)
  if (!key.endsWith('/64')) return []
  const [a = '', b = '', c = '', d = ''] = key.slice(0, -'::/64'.length).split(':')
  const subnet = Number.parseInt(d, 16) & 0xff00
  return [`${a}:${b}:${c}:${subnet.toString(16)}::/56`, `${a}:${b}:${c}::/48`]
}

/** Returns the first four groups of an IPv6 address without leading zeros: `2001:db8::1` → `2001:db8:0:0`. */
function ipv6Prefix(address: string): string {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  // A dotted suffix stands for the last two groups.
  const after =
    tail === undefined || tail === '' ? [] : tail.replace(/(?<!\d)\d+\.\d+\.\d+\.\d+$/, '0:0').split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
