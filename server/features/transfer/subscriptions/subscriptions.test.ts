/** Subscriptions: what users see and change, and what checks save. */
import { createContentRule, deleteContentRule } from '@reelmark/contract/content-rules.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  createSubscription,
  deleteSubscription,
  listSubscriptions,
  updateSubscription,
} from '@reelmark/contract/subscriptions.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createOutbound } from '../../../core/outbound/outbound.ts'
import { createDestination, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'
import { type LocalSite, openLocalSite, respondWith } from '../sources/local-site.fixture.ts'
import { claimSubscription } from './check-queries.ts'
import { checkSubscriptions } from './check-subscriptions.ts'

const local: LocalSite = await openLocalSite()
const outbound = createOutbound({ allow: [local.host] })
// Jobs are run by the tests, so that they decide what happens before and after.
const site = await useEmptySite({ outbound })
const { db } = site
afterAll(async () => {
  local.close()
  await outbound.close()
})

let alice: TestUser
let count = 0
beforeEach(async () => {
  count += 1
  alice = await signUp(site, `alice${count}`)
  local.pages.clear()
  local.requests.length = 0
  await db`delete from subscriptions`
  await db`delete from metadata_requests`
})

const address = (path: string) => `http://${local.host}${path}`
const feed = (...ids: number[]) =>
  `<rss><channel><title>Films</title>${ids
    .map((id) => `<item><title>Film ${id}</title><link>https://vimeo.com/${id}</link></item>`)
    .join('')}<item><title>A text</title><link>https://blog.example.org/1</link></item></channel></rss>`
const serve = (path: string, body: string) => local.pages.set(path, respondWith(body, 'application/rss+xml'))
const check = () => checkSubscriptions(site.app.deps, { seconds: 60, pause: 0 })
const endPause = () => db`update subscriptions set next_check_at = now()`
const list = (user = alice) => site.call(listSubscriptions, {}, user)
async function subscribe(path: string, more: { access?: 'public' | 'private' } = {}) {
  const { collection_id } = await vaultDestination(site, alice)
  return site.call(createSubscription, { body: { url: address(path), collection_id, ...more } }, alice)
}
const saved = async (user = alice) =>
  (
    await db<{ title: string; access: string }[]>`
      select title, access from bookmarks where user_id = ${user.id} and deleted_at is null order by id`
  ).map(({ title, access }) => `${title}, ${access}`)

test('what is there at first is known, and what is new is saved once, private, the newest last', async () => {
  serve('/feed', feed(1, 2))
  const created = await subscribe('/feed')
  expect(created).toMatchObject({
    title: '',
    is_paused: false,
    problem: null,
    checked_at: null,
    access: 'private',
  })
  expect(local.requests).toEqual([])
  await check()
  expect(await list()).toMatchObject([{ title: 'Films', saved_count: 0, checked_at: expect.any(String) }])
  expect(await saved()).toEqual([])

  serve('/feed', feed(4, 3, 1, 2))
  await check()
  expect(await saved()).toEqual([])
  await endPause()
  await check()
  expect(await saved()).toEqual(['Film 3, private', 'Film 4, private'])
  expect(await list()).toMatchObject([{ saved_count: 2, problem: null }])
  const requests = await db`select from metadata_requests`
  expect(requests).toHaveLength(2)

  await db`update bookmarks set deleted_at = now() where user_id = ${alice.id}`
  serve('/feed', feed(1, 2))
  await endPause()
  await check()
  serve('/feed', feed(4, 3))
  await endPause()
  await check()
  expect(await saved()).toEqual([])
})

test('a feed that did not change is requested with its validators, and is not read', async () => {
  local.pages.set('/feed', (reply) => {
    const isKnown = local.requests.at(-1)?.headers['if-none-match'] === '"v1"'
    reply.writeHead(isKnown ? 304 : 200, { etag: '"v1"', 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' })
    reply.end(isKnown ? '' : feed(1))
  })
  await subscribe('/feed')
  await check()
  await endPause()
  await check()
  expect(local.requests.at(-1)?.headers).toMatchObject({
    'if-none-match': '"v1"',
    'if-modified-since': 'Mon, 01 Jan 2024 00:00:00 GMT',
  })
  expect(await list()).toMatchObject([{ title: 'Films', problem: null }])
})

test('the first check knows the videos of all pages, and waits until it can read them', async () => {
  const page = (id: number, next: string) =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="${next}"/>
      <entry><title>Film ${id}</title><link href="https://vimeo.com/${id}"/></entry></feed>`
  serve('/feed', page(1, '/second'))
  await subscribe('/feed')
  await check()
  expect(await list()).toMatchObject([{ problem: 'The site answered with an error (404).' }])
  serve('/second', page(2, '/second'))
  await endPause()
  await check()
  // The newest video was deleted, so that an older one is on the first page.
  serve('/feed', page(2, '/second'))
  await endPause()
  await check()
  expect(await saved()).toEqual([])
  expect(await list()).toMatchObject([{ problem: null, saved_count: 0 }])
})

test('failures are shown, checks become rarer, and after many the subscription is paused', async () => {
  const { id } = await subscribe('/missing')
  await check()
  expect(await list()).toMatchObject([
    { problem: 'The site answered with an error (404).', is_paused: false },
  ])
  const wait = async () =>
    (
      await db`select round(extract(epoch from next_check_at - now()) / 3600)::int as hours from subscriptions`
    )[0]?.hours
  expect(await wait()).toBe(1)
  await endPause()
  await check()
  expect(await wait()).toBe(2)
  local.pages.set('/missing', (reply) => reply.writeHead(429, { 'retry-after': '36000' }).end())
  await endPause()
  await check()
  expect(await wait()).toBe(10)
  await db`update subscriptions set failures = 19, next_check_at = now()`
  await check()
  expect(await list()).toMatchObject([{ is_paused: true, problem: 'The site is busy. Try again later.' }])
  await endPause()
  local.requests.length = 0
  await check()
  expect(local.requests).toEqual([])

  serve('/missing', feed(1))
  await site.call(updateSubscription, { params: { id }, body: { is_paused: false } }, alice)
  await check()
  expect(await list()).toMatchObject([{ is_paused: false, problem: null, title: 'Films' }])
})

test('the destination can be changed; without its collection nothing is requested', async () => {
  serve('/feed', feed(1))
  const { id } = await subscribe('/feed', { access: 'public' })
  await check()
  const other = await createDestination(site, alice)
  const moved = await site.call(
    updateSubscription,
    { params: { id }, body: { channel_id: other.channel_id, access: 'private' } },
    alice,
  )
  expect(moved).toMatchObject({ collection: { id: other.collection_id }, channel: { name: 'A channel' } })
  serve('/feed', feed(2, 1))
  await endPause()
  await check()
  const [bookmark] = await db`select collection_id, channel_id from bookmarks where user_id = ${alice.id}`
  expect(bookmark).toEqual(other)

  await db`delete from bookmarks where user_id = ${alice.id}`
  await db`delete from collections where id = ${other.collection_id}`
  await endPause()
  local.requests.length = 0
  await check()
  expect(local.requests).toEqual([])
  expect(await list()).toMatchObject([{ collection: null, problem: expect.stringContaining('was deleted') }])
})

test('content rules apply, and suspended and banned users save nothing', async () => {
  serve('/feed', feed(1))
  await subscribe('/feed', { access: 'public' })
  await check()
  const moderator = await signUpModerator(site, `moderator${count}`)
  const rule = { kind: 'word', pattern: 'film', effect: 'refuse', note: '' } as const
  const { id } = await site.call(createContentRule, { body: rule }, moderator)
  serve('/feed', feed(2, 1))
  await endPause()
  await check()
  await site.call(deleteContentRule, { params: { id } }, moderator)
  expect(await saved()).toEqual([])
  expect((await list())[0]?.problem).toEqual(expect.any(String))

  await db`update users set suspended_until = now() + interval '1 hour' where id = ${alice.id}`
  await endPause()
  local.requests.length = 0
  await check()
  expect(local.requests).toEqual([])
  // Claims do not read it again for an hour.
  expect(
    await db`select from subscriptions where next_check_at <= now() and user_id = ${alice.id}`,
  ).toHaveLength(0)
  await db`update users set suspended_until = null where id = ${alice.id}`
})

test.each([{ is_paused: true }, { access: 'private' as const }])(
  'a check whose subscription was changed meanwhile (%o) saves nothing',
  async (body) => {
    serve('/feed', feed(1))
    const { id } = await subscribe('/feed', { access: 'public' })
    await check()
    await endPause()
    local.pages.set('/feed', (reply) => {
      void site
        .call(updateSubscription, { params: { id }, body }, alice)
        .then(() => reply.writeHead(200).end(feed(2, 1)))
    })
    await check()
    expect(await saved()).toEqual([])
    expect(await list()).toMatchObject([{ ...body, saved_count: 0 }])
  },
)

test('subscriptions of one host are checked one after the other', async () => {
  let open = 0
  let most = 0
  for (const path of ['/a', '/b', '/c']) {
    local.pages.set(path, (reply) => {
      open += 1
      most = Math.max(most, open)
      setImmediate(() => {
        open -= 1
        reply.writeHead(200).end(feed(1))
      })
    })
    await subscribe(path)
  }
  await check()
  expect(local.requests).toHaveLength(3)
  expect(most).toBe(1)
  expect(await claimSubscription(db, [])).toBeNull()
})

test('users see, change and end only their own subscriptions, up to a limit', async () => {
  const { id } = await subscribe('/feed')
  const again = await subscribe('/feed', { access: 'public' })
  expect(again).toMatchObject({ id, access: 'public' })
  const bob = await signUp(site, `bob${count}`)
  expect(await list(bob)).toEqual([])
  const foreign = site.call(updateSubscription, { params: { id }, body: { is_paused: true } }, bob)
  expect((await failedReply(foreign)).status).toBe(404)
  const { collection_id } = await vaultDestination(site, alice)
  const intoForeign = site.call(createSubscription, { body: { url: address('/x'), collection_id } }, bob)
  expect((await failedReply(intoForeign)).body).toMatchObject({
    code: 'invalid',
    collection_id: [expect.any(String)],
  })
  const without = site.call(createSubscription, { body: { url: address('/x') } }, alice)
  expect((await failedReply(without)).body).toMatchObject({ collection_id: ['This field is required.'] })

  await db`
    insert into subscriptions (user_id, url, host, collection_id)
    select ${alice.id}, 'https://a.example/' || n, 'a.example', ${collection_id} from generate_series(2, ${limits.subscriptionsMax}) n`
  expect((await failedReply(subscribe('/one-more'))).body).toMatchObject({ code: 'limit-reached' })
  await site.call(deleteSubscription, { params: { id } }, alice)
  expect(await list()).toHaveLength(limits.subscriptionsMax - 1)
})
