import { listTags } from '@reelmark/contract/tags.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/app.ts'
import { type PersonInTest, signUp } from '../../testing/people.ts'
import { save } from '../../testing/saving.ts'

let site: TestApp
let alice: PersonInTest

beforeAll(async () => {
  site = await bootApp()
  alice = await signUp(site, 'alice')
  await save(site, alice, 1, { video: { tags: ['cats', 'Café', '100%', 'under_score'] } })
  await save(site, alice, 2, { video: { tags: ['cats', 'comedy'] } })
})
afterAll(() => site.close())

const names = async (q: string) =>
  (await site.call(listTags, { query: { q } })).results.map(({ name }) => name)

test('tags are suggested by their beginning, the most used first', async () => {
  expect(await names('c')).toEqual(['cats', 'café', 'comedy'])
  expect(await names('CA')).toEqual(['cats', 'café'])
  expect(await names('zebra')).toEqual([])
  expect(await names('')).toHaveLength(5)
})

test('a beginning is taken at its word', async () => {
  expect(await names('%')).toEqual([])
  expect(await names('100%')).toEqual(['100%'])
  expect(await names('under_')).toEqual(['under_score'])
  expect(await names('un_er')).toEqual([])
  expect(await names('\\')).toEqual([])
})

test('the list is paged like any other', async () => {
  const page = await site.call(listTags, { query: { page: 2, page_size: 2 } })
  expect(page).toMatchObject({
    count: 5,
    next: '/api/tags/?page=3&page_size=2',
    previous: '/api/tags/?page=1&page_size=2',
  })
  expect((await site.app.inject('/api/tags/?page=9')).statusCode).toBe(404)
})
