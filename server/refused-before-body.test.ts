/**
 * Every call that needs a token, a role, a scope or a recent sign-in refuses callers without it whatever they send:
 * the body, the query and the path are read only afterwards. The calls are read from the contract.
 */
import { connect as connectSocket } from 'node:net'
import { type Endpoint, requiredScope } from '@reelmark/contract/protocol/endpoint.ts'
import { type ErrorName, errors } from '@reelmark/contract/protocol/errors.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isForbiddenToSuspended } from './core/http/endpoints.ts'
import { createCallers } from './testing/callers.ts'
import { loadEndpoints } from './testing/contract-endpoints.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'

interface Sent {
  contentType?: string
  payload?: string | Buffer
  /** In place of each path parameter. */
  param?: string
  query?: string
}

const json = 'application/json'
const requests: Record<string, Sent> = {
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
const needToken = contract.filter(([, { auth: access }]) => access === 'user' || access === 'moderator')
const askForToken = contract.filter(([, { auth: access }]) => access !== 'anyone')

/** Sends every request to every endpoint; returns those that were not answered with the error. */
async function mismatches(
  endpoints: [string, Endpoint][],
  bearer: string | null,
  code: ErrorName,
): Promise<string[]> {
  const wrong: string[] = []
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
      if (!isExpected) wrong.push(`${name} with ${label}: ${reply.statusCode} ${reply.body.slice(0, 100)}`)
    }
  }
  return wrong
}

describe('whatever is sent', () => {
  test('a call that needs a token answers 401 without one', async () => {
    expect(needToken.length).toBeGreaterThan(100)
    expect(await mismatches(needToken, null, 'unauthenticated')).toEqual([])
  })

  test('a call that reads the token answers 401 to a forged one', async () => {
    const { bearer } = await callers.caller('forged token')
    expect(await mismatches(askForToken, bearer, 'invalid-token')).toEqual([])
  })

  test('a call for moderators answers 403 to other users', async () => {
    const { access } = await callers.person()
    const forModerators = contract.filter(([, endpoint]) => endpoint.auth === 'moderator')
    expect(forModerators.length).toBeGreaterThan(10)
    expect(await mismatches(forModerators, access, 'forbidden')).toEqual([])
  })

  test('a call that changes something answers 403 to a token that may only read', async () => {
    const { bearer } = await callers.caller('token to read')
    const changing = contract.filter(([, endpoint]) => !['read', null].includes(requiredScope(endpoint)))
    expect(changing.length).toBeGreaterThan(50)
    expect(await mismatches(changing, bearer, 'insufficient-scope')).toEqual([])
  })

  test('a call that needs a recent sign-in answers 403 without one', async () => {
    const { bearer } = await callers.caller('user not confirmed lately')
    const confirmed = contract.filter(
      ([, { auth: access, requiresReauth: confirmed }]) => confirmed && access !== 'moderator',
    )
    expect(confirmed.length).toBeGreaterThan(5)
    expect(await mismatches(confirmed, bearer, 'reauthentication-required')).toEqual([])
  })

  test('a call that suspended users may not make answers 403 to them', async () => {
    const { bearer } = await callers.caller('suspended user')
    const closed = contract.filter(
      ([, endpoint]) => endpoint.auth !== 'moderator' && isForbiddenToSuspended(endpoint),
    )
    expect(closed.length).toBeGreaterThan(20)
    expect(await mismatches(closed, bearer, 'suspended')).toEqual([])
  })
})

describe('a request without a token whose body never ends', () => {
  test.each(
    needToken
      .filter(([, { body }]) => body !== undefined)
      .map(([name, endpoint]) => [name, endpoint] as const),
  )('to %s is answered with 401 before its body arrives', async (_, { method, path }) => {
    const { hostname, port } = new URL(baseUrl)
    const socket = connectSocket(Number(port), hostname)
    try {
      socket.write(
        `${method} /api${path.replace(/:\w+/g, '1')} HTTP/1.1\r\nhost: ${hostname}\r\n` +
          `content-type: ${json}\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n`,
      )
      const first = await new Promise<Buffer>((resolve, reject) => {
        socket.once('data', resolve)
        socket.once('error', reject)
        socket.once('close', () => reject(new Error('closed without an answer')))
      })
      expect(first.toString()).toMatch(/^HTTP\/1\.1 401 /)
    } finally {
      socket.destroy()
    }
  })
})
