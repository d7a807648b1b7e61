/** Webhooks: what is sent to whom, signatures, failures, and what other users can learn. */
import { trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { createComment, createReply, deleteComment } from '@reelmark/contract/comments.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
  testWebhook,
  updateWebhook,
  type WebhookEvent,
  type WebhookPayload,
} from '@reelmark/contract/webhooks.ts'
import { Webhook as Signer } from 'standardwebhooks'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createJobQueues } from '../../../app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'
import { findDueWebhooks } from './delivery-queries.ts'
import { openWebhookReceiver } from './webhook-receiver.fixture.ts'

const receiver = await openWebhookReceiver()
const site = await useEmptySite({ settings: { outboundAllow: [receiver.host] } })
afterAll(() => receiver.close())

let alice: TestUser
let bob: TestUser
let userCount = 0
beforeEach(async () => {
  userCount += 1
  ;[alice, bob] = [await signUp(site, `Alice${userCount}`), await signUp(site, `Bob${userCount}`)]
  receiver.received.length = 0
  receiver.respondWith(204)
})

const create = (
  user: TestUser,
  events: WebhookEvent[] = ['bookmark.created'],
  url = `http://${receiver.host}/hook`,
) => site.call(createWebhook, { body: { url, events } }, user)
const deliveriesOf = async (id: number, user: TestUser = alice) =>
  (await site.call(listWebhookDeliveries, { params: { id }, query: {} }, user)).results
const runJob = (name: string, data: object = {}) =>
  createJobQueues(site.app.deps)
    .find((queue) => queue.name === name)
    ?.work(data)
const deliver = (webhook_id: number) => runJob('deliver-webhook', { webhook_id })
const payloads = () => receiver.received.map(({ body }) => JSON.parse(body) as WebhookPayload)
const makeDue = (id: number) => site.db`update webhooks set next_attempt_at = now() where id = ${id}`

test('saving a video sends a signed request with the bookmark, also a private one', async () => {
  const { id, secret } = await create(alice)
  const film = await saveFilm(site, alice, `signed-${userCount}`, { bookmark: { access: 'private' } })
  await saveFilm(site, bob, `other-${userCount}`)
  await deliver(id)
  expect(payloads()).toEqual([
    {
      type: 'bookmark.created',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        bookmark: {
          id: film.id,
          url: `${site.settings.publicUrl}/bookmarks/${film.id}`,
          title: film.title,
          source_url: film.video.source_url,
          access: 'private',
          username: alice.username,
        },
      },
    },
  ])
  const [request] = receiver.received
  expect(request?.headers['content-type']).toBe('application/json')
  const headers = request?.headers as Record<string, string>
  expect(new Signer(secret).verify(request?.body ?? '', headers)).toEqual(payloads()[0])
  expect(() => new Signer(secret).verify(`${request?.body} `, headers)).toThrow()
  expect(await deliveriesOf(id)).toEqual([
    expect.objectContaining({
      event: 'bookmark.created',
      state: 'delivered',
      attempts: 1,
      response_status: 204,
      error: null,
    }),
  ])
})

test('comments are sent to the user who saved the video first and to the author who is replied to', async () => {
  const carol = await signUp(site, `Carol${userCount}`)
  const [ofAlice, ofBob, ofCarol] = [
    await create(alice, ['comment.created']),
    await create(bob, ['comment.created']),
    await create(carol, ['comment.created', 'bookmark.created']),
  ]
  const film = await saveFilm(site, alice, `discussed-${userCount}`)
  const comment = await site.call(
    createComment,
    { params: { id: film.video.id }, body: { content: 'Great' } },
    bob,
  )
  const reply = await site.call(
    createReply,
    { params: { id: comment.id }, body: { content: 'Indeed' } },
    carol,
  )
  for (const { id } of [ofAlice, ofBob, ofCarol]) await deliver(id)
  expect(
    payloads().map(
      (payload) => payload.type === 'comment.created' && [payload.data.comment, payload.data.bookmark.id],
    ),
  ).toEqual([
    [{ id: comment.id, content: 'Great', username: bob.username, parent_id: null }, film.id],
    [{ id: reply.id, content: 'Indeed', username: carol.username, parent_id: comment.id }, film.id],
    [{ id: reply.id, content: 'Indeed', username: carol.username, parent_id: comment.id }, film.id],
  ])
  expect(await deliveriesOf(ofCarol.id, carol)).toEqual([])
})

test('nothing is sent about users separated by a block or a mute', async () => {
  const { id } = await create(alice, ['comment.created'])
  const film = await saveFilm(site, alice, `muted-${userCount}`)
  await site.db`insert into mutes (user_id, muted_id) values (${alice.id}, ${bob.id})`
  await site.call(createComment, { params: { id: film.video.id }, body: { content: 'Hello' } }, bob)
  expect(await deliveriesOf(id)).toEqual([])
})

test('a reply on a video of a user whom a block separates leads to the own bookmark, or is not sent', async () => {
  const { id } = await create(alice, ['comment.created'])
  const carol = await signUp(site, `Carol${userCount}`)
  const replyTo = async (name: string) => {
    const film = await saveFilm(site, bob, `${name}-${userCount}`)
    const comment = await site.call(
      createComment,
      { params: { id: film.video.id }, body: { content: 'Great' } },
      alice,
    )
    return () => site.call(createReply, { params: { id: comment.id }, body: { content: 'Indeed' } }, carol)
  }
  const replies = [await replyTo('blocked-a'), await replyTo('blocked-b')]
  const own = await saveFilm(site, alice, `blocked-b-${userCount}`)
  await site.db`insert into blocks (blocker_id, blocked_id) values (${bob.id}, ${alice.id})`
  for (const reply of replies) await reply()
  await deliver(id)
  expect(payloads().map((payload) => payload.type === 'comment.created' && payload.data.bookmark.id)).toEqual(
    [own.id],
  )
})

test('what was deleted before it was sent is skipped', async () => {
  const { id } = await create(alice, ['bookmark.created', 'comment.created'])
  const trashed = await saveFilm(site, alice, `trashed-${userCount}`)
  const film = await saveFilm(site, alice, `kept-${userCount}`)
  const comment = await site.call(
    createComment,
    { params: { id: film.video.id }, body: { content: 'Oops' } },
    bob,
  )
  await site.call(deleteComment, { params: { id: comment.id } }, bob)
  await site.call(trashBookmark, { params: { id: trashed.id } }, alice)
  await deliver(id)
  expect(payloads().map(({ data }) => data)).toEqual([{ bookmark: expect.objectContaining({ id: film.id }) }])
  expect(
    JSON.stringify(await site.db`select * from webhook_deliveries where webhook_id = ${id}`),
  ).not.toContain('Oops')
})

test('reports are sent to moderators, who can no longer see them after they lose the role', async () => {
  expect(await failedReply(create(alice, ['report.created']))).toMatchObject({
    status: 400,
    body: { events: ['Only moderators can be told about reports.'] },
  })
  const moderator = await signUpModerator(site, `Mo${userCount}`)
  const { id } = await create(moderator, ['report.created'])
  const report = async (name: string) => {
    const film = await saveFilm(site, alice, `${name}-${userCount}`)
    return site.call(createReport, { body: { video_id: film.video.id, report_type: 'spam' } }, bob)
  }
  const first = await report('reported')
  await deliver(id)
  expect(payloads()).toEqual([
    {
      type: 'report.created',
      timestamp: expect.any(String),
      data: {
        report: {
          id: first.id,
          report_type: first.report_type,
          target_kind: 'video',
          url: `${site.settings.publicUrl}/moderator`,
        },
      },
    },
  ])
  await report('later')
  await site.db`update users set is_moderator = false where id = ${moderator.id}`
  await deliver(id)
  expect((await deliveriesOf(id, moderator)).map(({ state }) => state)).toEqual(['skipped', 'delivered'])
  expect(receiver.received).toHaveLength(1)
})

test('a failed event is repeated before later ones, and the last failure turns the webhook off', async () => {
  const { id } = await create(alice)
  receiver.respondWith(500)
  await saveFilm(site, alice, `first-${userCount}`)
  await saveFilm(site, alice, `second-${userCount}`)
  await deliver(id)
  await deliver(id)
  expect(receiver.received).toHaveLength(1)
  expect((await deliveriesOf(id)).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['waiting', 0],
    ['waiting', 1],
  ])
  receiver.respondWith(200)
  await makeDue(id)
  await deliver(id)
  expect((await deliveriesOf(id)).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['delivered', 1],
    ['delivered', 2],
  ])
  expect((await site.call(listWebhooks, {}, alice))[0]).toMatchObject({ is_enabled: true, failures: 0 })

  receiver.respondWith(302)
  await saveFilm(site, alice, `third-${userCount}`)
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await makeDue(id)
    await deliver(id)
  }
  expect((await site.call(listWebhooks, {}, alice))[0]).toMatchObject({ is_enabled: false, failures: 8 })
  expect((await deliveriesOf(id))[0]).toMatchObject({ state: 'failed', attempts: 8, response_status: 302 })
  expect(receiver.received.every(({ url }) => url === '/hook')).toBe(true)
  await saveFilm(site, alice, `fourth-${userCount}`)
  expect(await deliveriesOf(id)).toHaveLength(3)

  const failed = (await deliveriesOf(id))[0]?.id ?? 0
  receiver.respondWith(200)
  await site.call(updateWebhook, { params: { id }, body: { is_enabled: true } }, alice)
  await site.call(resendWebhookDelivery, { params: { id, delivery: failed } }, alice)
  await deliver(id)
  expect((await deliveriesOf(id))[0]).toMatchObject({ id: failed, state: 'delivered' })
})

test('410 turns the webhook off at once; a test is sent nevertheless', async () => {
  const { id } = await create(alice)
  receiver.respondWith(410)
  await saveFilm(site, alice, `gone-${userCount}`)
  await deliver(id)
  expect((await site.call(listWebhooks, {}, alice))[0]?.is_enabled).toBe(false)
  receiver.respondWith(200)
  await site.call(testWebhook, { params: { id } }, alice)
  await deliver(id)
  expect(payloads().at(-1)).toEqual({ type: 'webhook.test', timestamp: expect.any(String), data: {} })
})

test('addresses that are not public get one message, and nothing is sent to them', async () => {
  const hidden = await openWebhookReceiver()
  const { id } = await create(alice, ['bookmark.created'], `http://${hidden.host}/`)
  await site.call(testWebhook, { params: { id } }, alice)
  await deliver(id)
  expect(hidden.received).toEqual([])
  expect((await deliveriesOf(id))[0]).toMatchObject({
    state: 'failed',
    response_status: null,
    error: expect.any(String),
  })
  hidden.close()
})

test('two processes do not send an event twice, and an event left by a dead process is found', async () => {
  const { id } = await create(alice)
  await saveFilm(site, alice, `once-${userCount}`)
  await Promise.all([deliver(id), deliver(id), deliver(id)])
  expect(receiver.received).toHaveLength(1)
  const clearJobs = () => site.db`delete from jobs.job where name = 'deliver-webhook'`
  const readJobs = () => site.db`select data from jobs.job where name = 'deliver-webhook'`
  await clearJobs()
  for (const name of ['left', 'behind']) await saveFilm(site, alice, `${name}-${userCount}`)
  expect(await readJobs()).toEqual([{ data: { webhook_id: id } }])
  await site.db`update webhooks set claimed_until = now() - interval '1 second' where id = ${id}`
  await clearJobs()
  await runJob('resume-webhooks')
  expect(await readJobs()).toContainEqual({ data: { webhook_id: id } })
})

test('waiting events are found without reading webhooks that have none', async () => {
  const { id } = await create(alice)
  const ids = [id, (await create(bob)).id]
  await site.db`
    insert into webhooks (user_id, url, events, secret)
    select ${alice.id}, 'https://idle.example/', '{bookmark.created}', '' from generate_series(1, 5000)`
  await site.db`
    insert into webhook_deliveries (webhook_id, event)
    select unnest(${ids}::bigint[]), 'webhook.test' from generate_series(1, 50)`
  await site.db`analyze webhooks, webhook_deliveries`
  const found = await site.db.begin(async (tx) => {
    const due = await findDueWebhooks(tx)
    const [read] = await tx<{ rows: number }[]>`
      select (pg_stat_get_xact_tuples_returned('webhooks'::regclass) + pg_stat_get_xact_tuples_fetched('webhooks'::regclass))::int as rows`
    return { due, rows: read?.rows }
  })
  // Earlier tests left other events.
  expect(found.due).toEqual(expect.arrayContaining(ids))
  expect(found.rows).toBeLessThan(100)
})

test('webhooks of other users do not exist', async () => {
  const { id } = await create(alice)
  await site.call(testWebhook, { params: { id } }, alice)
  const [delivery] = await deliveriesOf(id)
  const attempts = [
    () => site.call(updateWebhook, { params: { id }, body: { is_enabled: false } }, bob),
    () => site.call(deleteWebhook, { params: { id } }, bob),
    () => site.call(testWebhook, { params: { id } }, bob),
    () => site.call(listWebhookDeliveries, { params: { id }, query: {} }, bob),
    () => site.call(resendWebhookDelivery, { params: { id, delivery: delivery?.id ?? 0 } }, bob),
  ]
  for (const attempt of attempts) expect((await failedReply(attempt())).status).toBe(404)
  expect(await site.call(listWebhooks, {}, bob)).toEqual([])
})

test('ten webhooks are the limit, also concurrently, and old deliveries are deleted', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => create(alice)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  const [webhook] = await site.call(listWebhooks, {}, alice)
  const id = webhook?.id ?? 0
  await site.call(testWebhook, { params: { id } }, alice)
  await site.db`update webhook_deliveries set created_at = now() - interval '8 days' where webhook_id = ${id}`
  await runJob('remove-old-deliveries')
  expect(await deliveriesOf(id)).toEqual([])
})

test('banned users get no events', async () => {
  const { id } = await create(alice)
  await saveFilm(site, alice, `banned-${userCount}`)
  await site.db`update users set banned_at = now(), ban_reason = 'spam' where id = ${alice.id}`
  await deliver(id)
  expect(receiver.received).toEqual([])
})
