import { gzipSync } from 'node:zlib'
import { limits } from '@reelmark/contract/limits.ts'
import { getImport } from '@reelmark/contract/transfer.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/app.ts'
import { type PersonInTest, signUp } from '../../testing/people.ts'
import { blank, bookmark, finished } from './everything.fixture.ts'

let site: TestApp
let alice: PersonInTest
beforeAll(async () => {
  site = await bootApp({ work: true })
  alice = await signUp(site, 'alice')
})
afterAll(() => site.close())

const post = (body: string | Buffer, headers: Record<string, string> = {}, person = alice) =>
  site.app.inject({
    method: 'POST',
    url: '/api/transfer/imports/',
    headers: { authorization: `Bearer ${person.access}`, 'content-type': 'application/json', ...headers },
    payload: body,
  })

describe('a file that is none', () => {
  const text = (change: object) => JSON.stringify({ ...blank, ...change })
  test.each([
    ['', { detail: expect.any(String) }],
    ['nonsense', { detail: 'The file is not a JSON object.' }],
    ['[]', { detail: 'The file is not a JSON object.' }],
    ['{"bookmarks":[{]}', { detail: expect.any(String) }],
    [`{"bookmarks":${'['.repeat(1_000_000)}`, { bookmarks: ['This is nested too deep.'] }],
    [text({ version: 2 }), { version: expect.any(Array) }],
    [text({ bookmarks: 7 }), { bookmarks: ['Expected a list of items.'] }],
    [text({ collections: undefined }), { collections: ['This field is required.'] }],
    [text({ more: 1 }), { more: ['Unknown field.'] }],
    [text({}).replace('{', '{"__proto__":{"is_moderator":true},'), { ['__proto__']: ['Unknown field.'] }],
    [
      text({ bookmarks: [bookmark('https://a.example.org/'), bookmark('javascript:alert(1)')] }),
      { bookmarks: { 1: { video: { source_url: ['Enter a valid URL.'] } } } },
    ],
    [
      text({ bookmarks: [bookmark('https://a.example.org/', { title: 'a\0b' })] }),
      { bookmarks: { 0: { title: ['Null characters and lone surrogates are not allowed.'] } } },
    ],
    [
      text({ bookmarks: [{ ...bookmark('https://a.example.org/'), user_id: 1 }] }),
      { bookmarks: { 0: { user_id: ['Unknown field.'] } } },
    ],
    [text({ likes: [null, 3] }), { likes: { 0: expect.any(Array), 1: expect.any(Array) } }],
    [text({ exported_at: 'yesterday' }), { exported_at: expect.any(Array) }],
  ])('%.50s is refused, with what is wrong', async (body, answer) => {
    const reply = await post(body)
    expect(reply.statusCode).toBe(400)
    const told = reply.json()
    for (const [field, problem] of Object.entries(answer)) expect(told[field]).toEqual(problem)
    expect(await site.db`select from imports where user_id = ${alice.id}`).toHaveLength(0)
    expect(await site.db`select from import_parts`).toHaveLength(0)
  })

  test('is told of by its first fifty problems; of another type, packed, or too large it is clear', async () => {
    const wrong = await post(text({ likes: Array(100_000).fill(0) }))
    expect(Object.keys(wrong.json().likes)).toHaveLength(50)
    expect((await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).statusCode).toBe(415)
    expect((await post('x', { 'content-encoding': 'gzip' })).statusCode).toBe(400)
    const large = await post('{}', { 'content-length': String(limits.importMax + 1) })
    expect(large.statusCode).toBe(413)
    expect(large.json()).toEqual({ detail: 'The file is larger than 128 MB.' })
    const packed = await post(gzipSync(`{"username":"a"${' '.repeat(limits.importMax)}`), {
      'content-encoding': 'gzip',
    })
    expect(packed.statusCode).toBe(413)
    const unknown = await site.app.inject({ method: 'POST', url: '/api/transfer/imports/', payload: {} })
    expect(unknown.statusCode).toBe(401)
    const fine = await post(gzipSync(JSON.stringify(blank)), { 'content-encoding': 'gzip' })
    expect(fine.statusCode).toBe(201)
    await finished(() => site.call(getImport, { params: { id: fine.json().id } }, alice))
  })
})
