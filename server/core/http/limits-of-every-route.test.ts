/** Every endpoint and every other route has a rate limit. A new route is included by itself. */
import { listCollections, updateCollection } from '@reelmark/contract/collections.ts'
import { clearWatched } from '@reelmark/contract/watching.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointUrl } from '../../../contract/protocol/call.ts'
import { loadEndpoints } from '../../testing/contract-endpoints.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { signUp } from '../../testing/test-users.ts'
import { createVisitorCache } from './visitor-cache.ts'

const contract = await loadEndpoints()
const withoutLimit = ['/healthz', '/readyz']
const exampleParams = { id: 1, kind: 'video', username: 'alice', token: 'x' }

/** Boots a site whose buckets have one token. */
const bootStrictSite = () =>
  bootApp({
    settings: { rateLimitScale: 1e-9, trustProxy: ['loopback'] },
    visitorCache: createVisitorCache(60_000),
  })

let site: TestApp
beforeAll(async () => {
  site = await bootStrictSite()
})
afterAll(() => site.close())

let addresses = 0
/** Returns an address that no request came from. */
function newAddress(): string {
  addresses += 1
  return `2001:db8:${addresses.toString(16)}::1`
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
const statusOf = async (method: Method, url: string, address: string) =>
  (await site.app.inject({ method, url, headers: { 'x-forwarded-for': address } })).statusCode

/** Returns `[method, path]` of every route of the server, from its own list. */
function listRoutes(): [Method, string][] {
  const tree = site.app.printRoutes({ commonPrefix: false })
  return tree.split('\n').flatMap((line) => {
    const [, path, methods] = /── (\S+) \(([A-Z, ]+)\)/.exec(line) ?? []
    if (path === undefined || methods === undefined) return []
    return methods
      .split(', ')
      .filter((method): method is Method => ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'].includes(method))
      .map((method): [Method, string] => [method, path])
  })
}

describe('the second request of an address', () => {
  test.each(contract)('to %s is refused, before its token is read', async (_name, endpoint) => {
    const url = endpointUrl(endpoint, exampleParams, {})
    const address = newAddress()
    expect(await statusOf(endpoint.method, url, address)).not.toBe(429)
    expect(await statusOf(endpoint.method, url, address)).toBe(429)
  })

  test('to every route is refused, except to health checks', async () => {
    const routes = listRoutes()
    expect(routes.length).toBeGreaterThan(contract.length)
    const unlimited = new Set<string>()
    for (const [method, path] of routes) {
      const url = path.replace(/:\w+/g, '1').replace('*', 'x')
      const address = newAddress()
      await statusOf(method, url, address)
      if ((await statusOf(method, url, address)) !== 429) unlimited.add(path)
    }
    expect([...unlimited]).toEqual(withoutLimit)
  })

  test.each(['/nothing', '/api/nothing', '/media/x.webp', '/media/default.jpg', '/embed/1', '/api/docs/'])(
    'to %s is refused',
    async (url) => {
      const address = newAddress()
      expect(await statusOf('GET', url, address)).not.toBe(429)
      expect(await statusOf('GET', url, address)).toBe(429)
    },
  )
})

describe('an endpoint', () => {
  test('documents that it may be rate limited', async () => {
    const { paths } = (await site.app.inject('/api/openapi.json')).json()
    const operations = Object.entries(paths as Record<string, Record<string, { responses: object }>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { responses }]) => ({ path, method, responses })),
    )
    expect(operations.filter(({ responses }) => !('429' in responses))).toEqual([])
  })

  test.each([
    ['reads', listCollections, undefined],
    ['changes', updateCollection, { name: 'New' }],
    ['deletes', clearWatched, undefined],
  ] as const)('that %s is limited per user, from whatever address', async (name, endpoint, payload) => {
    const user = await signUp(site, `user-${name}`)
    const [collection] = await site.db<[{ id: number }]>`
      select id from collections where user_id = ${user.id} and not is_watch_later limit 1`
    const send = () =>
      site.app.inject({
        method: endpoint.method,
        url: endpointUrl(endpoint, { id: collection.id }, {}),
        headers: { authorization: `Bearer ${user.access}`, 'x-forwarded-for': newAddress() },
        ...(payload !== undefined && { payload }),
      })
    expect((await send()).statusCode).toBeLessThan(300)
    const refused = await send()
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate-limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('costs no database write for reading', async () => {
    const user = await signUp(site, 'reader')
    site.statements.length = 0
    await site.app.inject({
      url: '/api/collections/',
      headers: { authorization: `Bearer ${user.access}`, 'x-forwarded-for': newAddress() },
    })
    expect(site.statements.length).toBeGreaterThan(0)
    expect(site.statements.filter((text) => /^\s*(?:insert|update|delete)|rate_limits/i.test(text))).toEqual(
      [],
    )
  })
})
