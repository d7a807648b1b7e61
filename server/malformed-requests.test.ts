/**
 * Every call of the contract with invalid values in path, query and body, one at a time, according to its schemas. No
 * request causes an internal error, and no value of a wrong type is accepted.
 */
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import { type ErrorName, errors } from '@reelmark/contract/protocol/errors.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OutboundError } from './core/outbound/outbound-error.ts'
import { createCallers } from './testing/callers.ts'
import { loadEndpoints } from './testing/contract-endpoints.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { saveFilm } from './testing/test-bookmarks.ts'
import type { TestUser } from './testing/test-users.ts'

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
  minLength?: number
  minimum?: number
  format?: string
  pattern?: string
}

let site: TestApp
let mallory: TestUser
/** Valid ids by the first segment of a path. */
let ids: Record<string, number>
beforeAll(async () => {
  const outbound = { get: () => Promise.reject(new OutboundError('unreachable')), close: async () => {} }
  site = await bootApp({ outbound })
  const callers = createCallers(site)
  mallory = await callers.createUser()
  const ana = await callers.createUser()
  const { id, video, collection, channel } = await saveFilm(site, mallory, 1)
  const [comment] = await site.db<[{ id: number }]>`
    insert into comments (video_id, user_id, content) values (${video.id}, ${mallory.id}, 'Hello') returning id`
  const [reply] = await site.db<[{ id: number }]>`
    insert into comments (video_id, user_id, content, parent_id)
    values (${video.id}, ${mallory.id}, 'Hello', ${comment.id}) returning id`
  ids = {
    bookmarks: id,
    videos: video.id,
    collections: collection.id,
    channels: channel?.id ?? 0,
    comments: comment.id,
    replies: reply.id,
    users: ana.id,
  }
})
afterAll(() => site.close())

/** All calls except the stream, which does not end. */
const contract = (await loadEndpoints()).filter(([name]) => name !== 'streamNotifications')
// Calls that delete come last, and those that end sessions at the very end.
const deletionRank = ([name, { method, path }]: [string, Endpoint]) =>
  /^\/(token|auth)\//.test(path) ? 2 : method === 'DELETE' || /^(trash|remove|bulk)/.test(name) ? 1 : 0
const calls = contract.toSorted((a, b) => deletionRank(a) - deletionRank(b))

/** Returns a value that matches a schema, as far as the schema describes it. */
function createFittingValue(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return createFittingValue(schema.anyOf[0] ?? {})
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, createFittingValue(schema.properties?.[name] ?? {})]),
      )
    case 'array':
      return [createFittingValue(schema.items ?? {})]
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 1)
    case 'boolean':
      return true
    case 'string':
      if (schema.format?.startsWith('http-url')) return 'https://films.example.org/watch/1'
      if (schema.format === 'date-time') return '2026-01-01T00:00:00Z'
      if (schema.format === 'email') return 'mallory@example.org'
      return 'x'.repeat(Math.max(schema.minLength ?? 0, 1))
    default:
      return {}
  }
}

/** Returns every location in a body that can hold a value, with its schema. */
function locationsIn(schema: Schema, path: string[] = []): { path: string[]; schema: Schema }[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((option) => locationsIn(option, path))
  return [
    { path, schema },
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      locationsIn(property, [...path, name]),
    ),
    ...(schema.items === undefined ? [] : locationsIn(schema.items, [...path, '0'])),
  ]
}

/** Returns a valid body as JSON, with `json` at one location. It is text because `json` may be no valid value. */
function insertAt(body: unknown, path: string[], json: string): string {
  const marker = '<marker>'
  const root = { body: structuredClone(body) }
  let container = root as Record<string, unknown>
  let name = 'body'
  for (const step of path) {
    if (typeof container[name] !== 'object' || container[name] === null)
      container[name] = step === '0' ? [] : {}
    container = container[name] as Record<string, unknown>
    name = step
  }
  container[name] = marker
  return JSON.stringify(root.body).replace(JSON.stringify(marker), () => json)
}

const nestedArray = (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`
/** Invalid or unusual values as JSON, with the types they have. */
const hostileValues: [json: string, types: string[]][] = [
  ['null', ['null']],
  ['true', ['boolean']],
  ['{}', ['object']],
  ['[]', ['array']],
  ['[[1]]', ['array']],
  ['{"__proto__":{"is_moderator":true}}', ['object']],
  ['{"constructor":{"prototype":{"is_moderator":true}}}', ['object']],
  [nestedArray(40), ['array']],
  ['0', ['integer', 'number']],
  ['-1', ['integer', 'number']],
  ['0.5', ['number']],
  ['9007199254740993', ['integer', 'number']],
  ['9223372036854775808', ['integer', 'number']],
  ['1e308', ['integer', 'number']],
  ['1e999', ['integer', 'number']],
  ['"1"', ['string']],
  ['""', ['string']],
  ['" \\u00a0\\u200b\\ufeff "', ['string']],
  ['"a\\u0000b"', ['string']],
  ['"\\ud800"', ['string']],
  ['"\\u202egnp.exe"', ['string']],
  ['"%00%ff"', ['string']],
  ['"\'); drop table users; --"', ['string']],
]
/** Large values, of which one per location is sent: as much as a body may contain, and more. */
const largeValues: [json: string, types: string[]][] = [
  [nestedArray(20_000), ['array']],
  [nestedArray(120_000), ['array']],
  [JSON.stringify('x'.repeat(200_000)), ['string']],
  [JSON.stringify('x'.repeat(1024 * 1024)), ['string']],
  [JSON.stringify('🎬'.repeat(60_000)), ['string']],
  // Combining marks of two classes alternately, which normalisation sorts.
  [JSON.stringify(`a${'\u0301\u0316'.repeat(60_000)}`), ['string']],
  [`[${Array.from({ length: 100_000 }, () => '1').join(',')}]`, ['array']],
  [`[${Array.from({ length: 80_000 }, () => '""').join(',')}]`, ['array']],
  [`{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(',')}}`, ['object']],
]

const pathValues = [
  '%00',
  'abc',
  '0',
  '-1',
  '1.5',
  '9007199254740993',
  '9'.repeat(400),
  '%F0%9F%98%80',
  '%ff',
  '..%2f..',
  '%20',
  'x'.repeat(20_000),
]
const queryValues = [
  '',
  'a%00b',
  '%F0%28',
  '-1',
  '1.5',
  '1e400',
  '9'.repeat(400),
  'x'.repeat(20_000),
  '%F0%9F%8E%AC',
  '%E2%80%AE',
  `'%22--`,
  '%5B%5D',
  'NaN',
]

interface Reply {
  statusCode: number
  body: string
  headers: Record<string, unknown>
}
const send = (method: string, url: string, payload?: string, type = 'application/json'): Promise<Reply> =>
  site.app.inject({
    method: method as 'POST',
    url,
    headers: {
      authorization: `Bearer ${mallory.access}`,
      ...(payload !== undefined && { 'content-type': type }),
    },
    ...(payload !== undefined && { payload }),
  })

/** Returns what is wrong with a reply, or null. */
function describeError({ statusCode, body, headers }: Reply): string | null {
  if (statusCode >= 500) return `an internal error: ${body}`
  if (statusCode < 400) return null
  if (!/^application\/json/.test(String(headers['content-type']))) return 'an error that is not JSON'
  const { code } = JSON.parse(body) as { code?: ErrorName }
  if (code === undefined || errors[code]?.[0] !== statusCode)
    return `an error without its code: ${body.slice(0, 200)}`
  return body.length < 100_000 ? null : `a long error: ${body.slice(0, 200)}`
}

const toUrl = ({ path }: Endpoint, id = String(ids[path.split('/')[1] ?? ''] ?? 1)) =>
  `/api${path.replace(':id', id).replace(':username', mallory.username)}`

const mismatches: string[] = []
const recordMismatch = (
  call: string,
  location: string,
  sent: string,
  reply: Reply,
  reason: string | null,
) => {
  if (reason !== null)
    mismatches.push(`${call} ${location} ${sent.slice(0, 60)}: ${reply.statusCode} ${reason}`)
}

test('invalid values in the path are refused', async () => {
  for (const [name, endpoint] of calls.filter(([, { path }]) => path.includes(':'))) {
    const parameter = /:(\w+)/.exec(endpoint.path)?.[1] ?? ''
    for (const value of pathValues) {
      const url = `/api${endpoint.path.replace(`:${parameter}`, value)}`
      const reply = await send(
        endpoint.method,
        url,
        endpoint.body && JSON.stringify(createFittingValue(endpoint.body as Schema)),
      )
      const isRefused = [400, 403, 404, 414].includes(reply.statusCode)
      recordMismatch(
        name,
        parameter,
        value,
        reply,
        describeError(reply) ?? (isRefused ? null : 'was accepted'),
      )
    }
  }
  expect(mismatches.splice(0)).toEqual([])
})

test('invalid values in the query are refused or find nothing', async () => {
  for (const [name, endpoint] of calls.filter(([, { query }]) => query !== undefined)) {
    const names = Object.keys((endpoint.query as Schema).properties ?? {})
    for (const field of [...names, 'unknown', '__proto__', 'constructor']) {
      for (const value of [
        ...queryValues.map((text) => `${field}=${text}`),
        `${field}=1&${field}=2`,
        `${field}[a]=1`,
        `${field}[]=1`,
      ]) {
        const reply = await send(endpoint.method, `${toUrl(endpoint)}?${value}`)
        recordMismatch(name, field, value, reply, describeError(reply))
      }
    }
  }
  expect(mismatches.splice(0)).toEqual([])
})

test('invalid values in the body are refused, and values of a wrong type in particular', async () => {
  let sent = 0
  for (const [callIndex, [name, endpoint]] of calls.filter(([, { body }]) => body !== undefined).entries()) {
    const schema = endpoint.body as Schema
    for (const [n, { path, schema: location }] of locationsIn(schema).entries()) {
      const allowedTypes = [location.type ?? []].flat()
      const values = [
        ...hostileValues,
        ...largeValues.slice((n + callIndex) % largeValues.length).slice(0, 1),
      ]
      sent += values.length
      await Promise.all(
        values.map(async ([json, types]) => {
          const reply = await send(
            endpoint.method,
            toUrl(endpoint),
            insertAt(createFittingValue(schema), path, json),
          )
          const isWrong = allowedTypes.length > 0 && !types.some((type) => allowedTypes.includes(type))
          // The request may be refused before its body is validated.
          const isAccepted = isWrong && reply.statusCode < 400
          recordMismatch(
            name,
            path.join('.'),
            json,
            reply,
            describeError(reply) ?? (isAccepted ? 'a wrong type was accepted' : null),
          )
        }),
      )
    }
  }
  expect(mismatches.splice(0)).toEqual([])
  expect(sent).toBeGreaterThan(2000)
})

test('other content types and malformed bodies are refused', async () => {
  for (const [name, endpoint] of calls.filter(([, { body }]) => body !== undefined)) {
    const validBody = JSON.stringify(createFittingValue(endpoint.body as Schema))
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'text/html',
      'application/json-patch+json',
      '/',
      'application/json; charset=utf-16',
    ]) {
      const reply = await send(endpoint.method, toUrl(endpoint), validBody, type)
      const isAccepted = reply.statusCode < 400 && !/^(application\/json;|multipart)/.test(type)
      recordMismatch(
        name,
        type,
        validBody,
        reply,
        describeError(reply) ?? (isAccepted ? 'was accepted' : null),
      )
    }
    for (const payload of [
      '',
      'null',
      '[]',
      '"x"',
      '1',
      '{',
      '{"a":1',
      '\ufeff{}',
      '{"a":1,"a":2}',
      '\0',
      '{}{}',
    ]) {
      const reply = await send(endpoint.method, toUrl(endpoint), payload)
      recordMismatch(name, 'body', payload, reply, describeError(reply))
    }
  }
  expect(mismatches.splice(0)).toEqual([])
})

test('no request granted a right', async () => {
  const [row] = await site.db`select count(*) from users where is_moderator or is_verified`
  expect(row?.count).toBe(0)
  expect(({} as { is_moderator?: boolean }).is_moderator).toBeUndefined()
})
