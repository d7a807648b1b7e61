/**
 * Every call of the contract with everything wrong in each of its places, one at a time: what is in the path, the query
 * and the body is read from its schemas. Whatever is sent, no answer is a fault of ours, and no wrong type is taken.
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
/** Of what a path's `:id` is, by the first word of the path. */
let ids: Record<string, number>
beforeAll(async () => {
  const outbound = { get: () => Promise.reject(new OutboundError('unreachable')), close: async () => {} }
  site = await bootApp({ outbound })
  const callers = createCallers(site)
  mallory = await callers.person()
  const ana = await callers.person()
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

/** Without what answers for as long as one listens. */
const contract = (await loadEndpoints()).filter(([name]) => name !== 'streamNotifications')
// What takes things away comes last, and what takes away the session last of all.
const order = ([name, { method, path }]: [string, Endpoint]) =>
  /^\/(token|auth)\//.test(path) ? 2 : method === 'DELETE' || /^(trash|remove|bulk)/.test(name) ? 1 : 0
const calls = contract.toSorted((a, b) => order(a) - order(b))

/** Something that fits a schema, as far as that can be told of it. */
function fitting(schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return fitting(schema.anyOf[0] ?? {})
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, fitting(schema.properties?.[name] ?? {})]),
      )
    case 'array':
      return [fitting(schema.items ?? {})]
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

/** Where in a body something can stand: each field, and each of what is in it. */
function locationsIn(schema: Schema, path: string[] = []): { path: string[]; schema: Schema }[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((each) => locationsIn(each, path))
  return [
    { path, schema },
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) => locationsIn(each, [...path, name])),
    ...(schema.items === undefined ? [] : locationsIn(schema.items, [...path, '0'])),
  ]
}

/** A body that fits, but for this at one place; as JSON, so that it can hold what no value is. */
function withAt(body: unknown, path: string[], json: string): string {
  const marker = 'here it goes'
  const root = { body: structuredClone(body) }
  let at = root as Record<string, unknown>
  let name = 'body'
  for (const step of path) {
    if (typeof at[name] !== 'object' || at[name] === null) at[name] = step === '0' ? [] : {}
    at = at[name] as Record<string, unknown>
    name = step
  }
  at[name] = marker
  return JSON.stringify(root.body).replace(JSON.stringify(marker), () => json)
}

const deep = (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`
/** As JSON, and the types that it is of. */
const hostile: [json: string, types: string[]][] = [
  ['null', ['null']],
  ['true', ['boolean']],
  ['{}', ['object']],
  ['[]', ['array']],
  ['[[1]]', ['array']],
  ['{"__proto__":{"is_moderator":true}}', ['object']],
  ['{"constructor":{"prototype":{"is_moderator":true}}}', ['object']],
  [deep(40), ['array']],
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
/** In turn, for they are work: as much as a body may hold, and more. */
const large: [json: string, types: string[]][] = [
  [deep(20_000), ['array']],
  [deep(120_000), ['array']],
  [JSON.stringify('x'.repeat(200_000)), ['string']],
  [JSON.stringify('x'.repeat(1024 * 1024)), ['string']],
  [JSON.stringify('🎬'.repeat(60_000)), ['string']],
  // Marks of two classes in turn, which Unicode puts in order.
  [JSON.stringify(`a${'\u0301\u0316'.repeat(60_000)}`), ['string']],
  [`[${Array.from({ length: 100_000 }, () => '1').join(',')}]`, ['array']],
  [`[${Array.from({ length: 80_000 }, () => '""').join(',')}]`, ['array']],
  [`{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(',')}}`, ['object']],
]

const inPath = [
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
const inQuery = [
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
function fault({ statusCode, body, headers }: Reply): string | null {
  if (statusCode >= 500) return `a fault of the server: ${body}`
  if (statusCode < 400) return null
  if (!/^application\/json/.test(String(headers['content-type']))) return 'an error that is not JSON'
  const { code } = JSON.parse(body) as { code?: ErrorName }
  if (code === undefined || errors[code]?.[0] !== statusCode)
    return `an error without its code: ${body.slice(0, 200)}`
  return body.length < 100_000 ? null : `a long error: ${body.slice(0, 200)}`
}

const toUrl = ({ path }: Endpoint, id = String(ids[path.split('/')[1] ?? ''] ?? 1)) =>
  `/api${path.replace(':id', id).replace(':username', mallory.username)}`

const wrong: string[] = []
const note = (call: string, at: string, sent: string, reply: Reply, why: string | null) => {
  if (why !== null) wrong.push(`${call} ${at} ${sent.slice(0, 60)}: ${reply.statusCode} ${why}`)
}

test('in the path: it leads nowhere', async () => {
  for (const [name, endpoint] of calls.filter(([, { path }]) => path.includes(':'))) {
    const of = /:(\w+)/.exec(endpoint.path)?.[1] ?? ''
    for (const each of inPath) {
      const url = `/api${endpoint.path.replace(`:${of}`, each)}`
      const reply = await send(
        endpoint.method,
        url,
        endpoint.body && JSON.stringify(fitting(endpoint.body as Schema)),
      )
      const isRefused = [400, 403, 404, 414].includes(reply.statusCode)
      note(name, of, each, reply, fault(reply) ?? (isRefused ? null : 'was taken'))
    }
  }
  expect(wrong.splice(0)).toEqual([])
})

test('in the query: it is refused, or finds nothing', async () => {
  for (const [name, endpoint] of calls.filter(([, { query }]) => query !== undefined)) {
    const names = Object.keys((endpoint.query as Schema).properties ?? {})
    for (const field of [...names, 'unknown', '__proto__', 'constructor']) {
      for (const each of [
        ...inQuery.map((text) => `${field}=${text}`),
        `${field}=1&${field}=2`,
        `${field}[a]=1`,
        `${field}[]=1`,
      ]) {
        const reply = await send(endpoint.method, `${toUrl(endpoint)}?${each}`)
        note(name, field, each, reply, fault(reply))
      }
    }
  }
  expect(wrong.splice(0)).toEqual([])
})

test('in the body: it is refused, and a wrong type at its field', async () => {
  let sent = 0
  for (const [turn, [name, endpoint]] of calls.filter(([, { body }]) => body !== undefined).entries()) {
    const schema = endpoint.body as Schema
    for (const [n, { path, schema: location }] of locationsIn(schema).entries()) {
      const fits = [location.type ?? []].flat()
      const all = [...hostile, ...large.slice((n + turn) % large.length).slice(0, 1)]
      sent += all.length
      await Promise.all(
        all.map(async ([json, types]) => {
          const reply = await send(endpoint.method, toUrl(endpoint), withAt(fitting(schema), path, json))
          const isWrong = fits.length > 0 && !types.some((type) => fits.includes(type))
          // What comes before the body may refuse it, too.
          const isTaken = isWrong && reply.statusCode < 400
          note(name, path.join('.'), json, reply, fault(reply) ?? (isTaken ? 'a wrong type was taken' : null))
        }),
      )
    }
  }
  expect(wrong.splice(0)).toEqual([])
  expect(sent).toBeGreaterThan(2000)
})

test('as another kind of body: it is refused', async () => {
  for (const [name, endpoint] of calls.filter(([, { body }]) => body !== undefined)) {
    const fit = JSON.stringify(fitting(endpoint.body as Schema))
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
      const reply = await send(endpoint.method, toUrl(endpoint), fit, type)
      const isTaken = reply.statusCode < 400 && !/^(application\/json;|multipart)/.test(type)
      note(name, type, fit, reply, fault(reply) ?? (isTaken ? 'was taken' : null))
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
      note(name, 'body', payload, reply, fault(reply))
    }
  }
  expect(wrong.splice(0)).toEqual([])
})

test('nobody came by a right', async () => {
  const [row] = await site.db`select count(*) from users where is_moderator or is_verified`
  expect(row?.count).toBe(0)
  expect(({} as { is_moderator?: boolean }).is_moderator).toBeUndefined()
})
