/**
 * Every endpoint that requires a token, a role, a scope or reauthentication refuses other callers before reading path,
 * query or body. The endpoints are read from the contract.
 */
import { connect as connectSocket } from 'node:net'
import { type Endpoint, requiredScope } from '@reelmark/contract/protocol/endpoint.ts'
import { type ErrorName, errors } from '@reelmark/contract/protocol/errors.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isForbiddenToSuspended } from './core/http/authorize.ts'
import { createCallers } from './testing/callers.ts'
import { loadEndpoints } from './testing/contract-endpoints.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'

interface RequestOptions {
  contentType?: string
  payload?: string | Buffer
  /** Replaces each path parameter. */
  param?: string
  query?: string
}

const json = 'application/json'
const requests: Record<string, RequestOptions> = {
  'no body': {},
  'an empty JSON body': { contentType: json, payload: '' },
  'a body with the wrong fields': { contentType: json, payload: '{"unexpected":[1]}' },
  'a body that is a list': { contentType: json, payload: '[]' },
  'invalid JSON': { contentType: json, payload: '{"a":' },
  'invalid UTF-8': { contentType: json, payload: Buffer.from([0x7b, 0xff, 0x7d]) },
  'a body with a null character': { contentType: json, payload: '{"a":"\\u0000"}' },
  'a body that is too large': { contentType: json, payload: JSON.stringify('x'.repeat(300 * 1024)) },
  'plain text': { contentType: 'text/plain', payload: 'hello' },
  'an unknown content type': { contentType: 'application/xml', payload: '<a/>' },
  'a form': {
    contentType: 'multipart/form-data; boundary=b',
    payload: '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
  },
  'a broken form': { contentType: 'multipart/form-data; boundary=b', payload: 'not a form' },
  'an invalid id in the path': { param: 'abc' },
  'an invalid page': { query: '?page=x&page_size=x' },
}

let site: TestApp
let callers: ReturnType<typeof createCallers>
let baseUrl: string
beforeAll(async () => {
  site = await bootApp()
  callers = createCallers(site)
  baseUrl = await site.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => site.close())

const contract = await loadEndpoints()
const endpointsRequiringToken = contract.filter(([, { auth }]) =>
  ['user', 'moderator', 'owner'].includes(auth),
)
const endpointsReadingToken = contract.filter(([, { auth }]) => auth !== 'anyone')

/** Sends every request to every endpoint, and returns those with another response than the error. */
async function findMismatches(
  endpoints: [string, Endpoint][],
  bearer: string | null,
  code: ErrorName,
): Promise<string[]> {
  const mismatchLines: string[] = []
  for (const [name, { method, path }] of endpoints) {
    for (const [label, { contentType, payload, param = '1', query = '' }] of Object.entries(requests)) {
      const reply = await site.app.inject({
        method,
        url: `/api${path.replace(/:\w+/g, param)}${query}`,
        headers: {
          ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
          ...(contentType !== undefined && { 'content-type': contentType }),
        },
        ...(payload !== undefined && { payload }),
      })
      const isExpected = reply.statusCode === errors[code][0] && reply.json().code === code
      if (!isExpected)
        mismatchLines.push(`${name} with ${label}: ${reply.statusCode} ${reply.body.slice(0, 100)}`)
    }
  }
  return mismatchLines
}

describe('with any request', () => {
  test('an endpoint that requires a token responds with 401 without one', async () => {
    expect(endpointsRequiringToken.length).toBeGreaterThan(100)
    expect(await findMismatches(endpointsRequiringToken, null, 'unauthenticated')).toEqual([])
  })

  test('an endpoint that reads the token responds with 401 to a forged one', async () => {
    const { bearer } = await callers.caller('forged token')
    expect(await findMismatches(endpointsReadingToken, bearer, 'invalid-token')).toEqual([])
  })

  test('an endpoint for moderators responds with 403 to other users', async () => {
    const { access } = await callers.createUser()
    const forModerators = contract.filter(([, endpoint]) => endpoint.auth === 'moderator')
    expect(forModerators.length).toBeGreaterThan(10)
    expect(await findMismatches(forModerators, access, 'forbidden')).toEqual([])
  })

  test('an endpoint for site owners responds with 403 to moderators', async () => {
    const { access } = await callers.createUser({ moderator: true })
    const forOwners = contract.filter(([, endpoint]) => endpoint.auth === 'owner')
    expect(forOwners.length).toBeGreaterThan(1)
    expect(await findMismatches(forOwners, access, 'forbidden')).toEqual([])
  })

  test('an endpoint that writes responds with 403 to a token with the scope read', async () => {
    const { bearer } = await callers.caller('token to read')
    const writing = contract.filter(
      ([, endpoint]) => !['read', 'token', null].includes(requiredScope(endpoint)),
    )
    expect(writing.length).toBeGreaterThan(50)
    expect(await findMismatches(writing, bearer, 'insufficient-scope')).toEqual([])
  })

  test('an endpoint that requires reauthentication responds with 403 without it', async () => {
    const { bearer } = await callers.caller('user not confirmed lately')
    const requiringReauth = contract.filter(
      ([, { auth, requiresReauth }]) => requiresReauth && auth !== 'moderator' && auth !== 'owner',
    )
    expect(requiringReauth.length).toBeGreaterThan(5)
    expect(await findMismatches(requiringReauth, bearer, 'reauthentication-required')).toEqual([])
  })

  test('an endpoint forbidden to suspended users responds with 403 to them', async () => {
    const { bearer } = await callers.caller('suspended user')
    const forbidden = contract.filter(
      ([, endpoint]) => !['moderator', 'owner'].includes(endpoint.auth) && isForbiddenToSuspended(endpoint),
    )
    expect(forbidden.length).toBeGreaterThan(20)
    expect(await findMismatches(forbidden, bearer, 'suspended')).toEqual([])
  })
})

describe('a request without a token whose body never ends', () => {
  test.each(
    endpointsRequiringToken
      .filter(([, { body }]) => body !== undefined)
      .map(([name, endpoint]) => [name, endpoint] as const),
  )('to %s gets the response 401 before its body is sent', async (_, { method, path }) => {
    const { hostname, port } = new URL(baseUrl)
    const socket = connectSocket(Number(port), hostname)
    try {
      socket.write(
        `${method} /api${path.replace(/:\w+/g, '1')} HTTP/1.1\r\nhost: ${hostname}\r\n` +
          `content-type: ${json}\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n`,
      )
      const response = await new Promise<Buffer>((resolve, reject) => {
        socket.once('data', resolve)
        socket.once('error', reject)
        socket.once('close', () => reject(new Error('closed without a response')))
      })
      expect(response.toString()).toMatch(/^HTTP\/1\.1 401 /)
    } finally {
      socket.destroy()
    }
  })
})
