/** Collecting other users' bookmarks, and finding own bookmarks by link. */

import { trashBookmark, updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import {
  collectBookmark,
  collectChannel,
  collectCollection,
  findOwnBookmarksByUrl,
} from '@reelmark/contract/collect.ts'
import { updateCollection } from '@reelmark/contract/collections.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { createDestination, saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'

const site = await useEmptySite()
let alice: TestUser
let bob: TestUser
let userCount = 0

beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
  bob = await signUp(site, `bob${userCount}`)
})

const byId = (id: number) => ({ params: { id } })
const saveTo = (film: number | string, options: Parameters<typeof saveFilm>[3] = {}, user = alice) =>
  saveFilm(site, user, `${userCount}-${film}`, options)
const destinationFor = async (user: TestUser) => {
  const { collection_id, channel_id } = await vaultDestination(site, user)
  return { collection: collection_id, channel: channel_id }
}
const collect = (
  bookmark: number,
  destination: { collection?: number | null; channel?: number | null },
  user = bob,
) => site.call(collectBookmark, { body: { bookmark, ...destination } }, user)

describe('collecting a bookmark', () => {
  test('copies its video, title, description and tags to the user’s own collection', async () => {
    const source = await saveTo(1, { bookmark: { title: 'Hers', description: 'By Alice', tags: ['a', 'b'] } })
    const destination = await destinationFor(bob)
    const copy = await collect(source.id, destination)
    expect(copy).toMatchObject({
      title: 'Hers',
      description: 'By Alice',
      access: 'public',
      is_owner: true,
      user: { username: bob.username },
      video: { id: source.video.id, saves_count: 2 },
      collection: { id: destination.collection },
      channel: { id: destination.channel },
    })
    expect(copy.tags.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(await failedReply(collect(source.id, destination))).toEqual({
      status: 409,
      body: {
        detail: 'You already saved this video here.',
        code: 'already-saved',
        bookmark_id: copy.id,
      },
    })
    expect(await collect(source.id, { ...destination, channel: null })).toMatchObject({ channel: null })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('is answered with an error at the field of an invalid destination or bookmark', async () => {
    const { id } = await saveTo(1)
    const [own, others] = [await destinationFor(bob), await destinationFor(alice)]
    expect(await failedReply(collect(id, {}))).toEqual({
      status: 400,
      body: { code: 'invalid', collection: ['A collection is required.'] },
    })
    expect(await failedReply(collect(id, { collection: null }))).toMatchObject({ status: 400 })
    expect(await failedReply(collect(id, others))).toEqual({
      status: 400,
      body: { code: 'invalid', collection: [`Invalid pk "${others.collection}" - object does not exist.`] },
    })
    expect(await failedReply(collect(id, { ...own, channel: others.channel }))).toEqual({
      status: 400,
      body: { code: 'invalid', channel: [`Invalid pk "${others.channel}" - object does not exist.`] },
    })
    expect(await failedReply(collect(1e9, own))).toMatchObject({
      status: 400,
      body: { code: 'invalid', bookmark: [expect.any(String)] },
    })
    const wrong = site.call(collectBookmark, { body: { bookmark: 'x' as unknown as number } }, bob)
    expect(await failedReply(wrong)).toMatchObject({
      status: 400,
      body: { code: 'invalid', bookmark: [expect.any(String)] },
    })
    expect(await failedReply(site.call(collectBookmark, { body: { bookmark: id, ...own } }))).toMatchObject({
      status: 401,
    })
  })

  test('is refused for bookmarks that the user may not see, and a copy of a private bookmark stays private', async () => {
    const secret = await createDestination(site, alice, 'private')
    const own = await destinationFor(bob)
    const hidden = await saveTo('hidden')
    await site.db`update videos set status = 'hidden' where id = ${hidden.video.id}`
    const trashed = await saveTo('trashed')
    await site.call(trashBookmark, byId(trashed.id), alice)
    const inSecret = await saveTo(2, { bookmark: secret })
    for (const { id } of [await saveTo(1, { bookmark: { access: 'private' } }), inSecret, hidden, trashed])
      expect(await failedReply(collect(id, own))).toMatchObject({
        status: 400,
        body: { code: 'invalid', bookmark: [`Invalid pk "${id}" - object does not exist.`] },
      })
    // Alice's own bookmark, from a private collection into a public one.
    expect(await collect(inSecret.id, await destinationFor(alice), alice)).toMatchObject({
      access: 'private',
      is_public: false,
    })
  })

  test('creates the copy with the access of the request', async () => {
    const source = await saveTo(1)
    const destination = await destinationFor(bob)
    const request = (body: object, user: TestUser) =>
      site.call(collectBookmark, { body: { bookmark: source.id, ...body } }, user)
    const copy = await request({ ...destination, access: 'private' }, bob)
    expect(copy).toMatchObject({ access: 'private', is_public: false, video: { saves_count: 1 } })
    // Users may publish a copy of their own private bookmark.
    const published = { bookmark: copy.id, collection: destination.collection, access: 'public' as const }
    expect(await request(published, bob)).toMatchObject({ access: 'public', is_public: true })
  })

  test('never publishes another user’s private bookmark that a moderator sees because of a report', async () => {
    const mod = await signUpModerator(site, `mod${userCount}`)
    const { id, video } = await saveTo(1)
    const report = { video_id: video.id, bookmark_id: id, report_type: 'request_moderation' as const }
    await site.call(createReport, { body: report }, bob)
    await site.call(updateBookmark, { params: { id }, body: { access: 'private' } }, alice)
    const body = { bookmark: id, ...(await destinationFor(mod)), access: 'public' as const }
    expect(await site.call(collectBookmark, { body }, mod)).toMatchObject({
      access: 'private',
      is_public: false,
    })
  })

  test('happens once for calls with the same Idempotency-Key', async () => {
    const { id } = await saveTo(1)
    const payload = { bookmark: id, ...(await destinationFor(bob)) }
    const send = () =>
      site.app.inject({
        method: 'POST',
        url: '/api/bookmarks/collect/',
        headers: { authorization: `Bearer ${bob.access}`, 'idempotency-key': 'once' },
        payload,
      })
    const [first, again] = [await send(), await send()]
    expect([first.statusCode, again.statusCode, again.body]).toEqual([201, 201, first.body])
  })

  test('by many users while its collection becomes private and public succeeds or is refused, with correct counters', async () => {
    const destination = await createDestination(site, alice)
    const { id } = await saveTo('flip', { bookmark: destination })
    const others = await Promise.all(Array.from({ length: 6 }, (_, n) => signUp(site, `m${userCount}x${n}`)))
    const outcomes = await Promise.allSettled([
      ...others.flatMap((user) => [
        destinationFor(user).then((own) => collect(id, own, user)),
        saveTo('flip', {}, user),
        saveTo(`flip${user.username}`, {}, user),
      ]),
      ...Array.from({ length: 12 }, (_, n) =>
        site.call(
          updateCollection,
          { ...byId(destination.collection_id), body: { access: n % 2 === 0 ? 'private' : 'public' } },
          alice,
        ),
      ),
    ])
    const failed = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.status] : [],
    )
    expect(failed.filter((status) => ![400, 409].includes(status))).toEqual([])
    expect(await counterMismatches(site)).toEqual([])
  })
})

describe('collecting everything', () => {
  test('in a collection or channel copies what the user may see in the same order, and skips it the second time', async () => {
    const destination = await createDestination(site, alice)
    await saveTo(1, { bookmark: destination })
    await saveTo(2, { bookmark: destination })
    await saveTo(3, { bookmark: { collection_id: destination.collection_id } })
    await saveTo(4, { bookmark: { ...destination, access: 'private' } })
    const own = await destinationFor(bob)
    const channel = await site.call(collectChannel, { ...byId(destination.channel_id), body: own }, bob)
    expect(channel).toEqual({ added: 2, duplicates: 0, refused: 0 })
    const all = await site.call(collectCollection, { ...byId(destination.collection_id), body: own }, bob)
    expect(all).toEqual({ added: 1, duplicates: 2, refused: 0 })
    const { results } = await site.call(listVideos, { query: { user: bob.username } })
    expect(results.map(({ title }) => title)).toEqual([3, 2, 1].map((film) => `Film ${userCount}-${film}`))
    expect(await counterMismatches(site)).toEqual([])
  })

  test('in another user’s private collection is answered with 404, and without a destination with 400', async () => {
    const secret = await createDestination(site, alice, 'private')
    const own = await destinationFor(bob)
    const calls = [
      () => site.call(collectCollection, { ...byId(secret.collection_id), body: own }, bob),
      () => site.call(collectChannel, { ...byId(secret.channel_id), body: own }, bob),
    ]
    for (const call of calls) expect(await failedReply(call())).toMatchObject({ status: 404 })
    const open = await createDestination(site, alice)
    const withoutDestination = site.call(collectCollection, { ...byId(open.collection_id), body: {} }, bob)
    expect(await failedReply(withoutDestination)).toMatchObject({
      status: 400,
      body: { code: 'invalid', collection: [expect.any(String)] },
    })
  })

  test('in a collection of a thousand bookmarks is one request, and more than 2,000 are refused', {
    tags: 'heavy',
  }, async () => {
    const { collection_id } = await createDestination(site, alice)
    const fill = (from: number, to: number) => site.db`
      with created as (
        insert into videos (canonical_url, source_url, host)
        select 'https://all.example.org/' || n, 'https://all.example.org/' || n, 'all.example.org'
          from generate_series(${from}::int, ${to}::int) n returning id)
      insert into bookmarks (user_id, video_id, collection_id, title, tags)
      select ${alice.id}, id, ${collection_id}, 'All', array['x', 'y'] from created`
    await fill(1, 1000)
    const own = await destinationFor(bob)
    const start = performance.now()
    const all = () => site.call(collectCollection, { ...byId(collection_id), body: own }, bob)
    expect(await all()).toEqual({ added: 1000, duplicates: 0, refused: 0 })
    process.stderr.write(`1,000 collected in ${Math.round(performance.now() - start)} ms\n`)
    await fill(1001, 2001)
    expect(await failedReply(all())).toMatchObject({ status: 409 })
    expect(await counterMismatches(site)).toEqual([])
  })
})

describe('finding own bookmarks by link', () => {
  test('returns how many others saved the video publicly, and reveals no private saves', async () => {
    const source_url = 'https://films.example.org/watch/known-to-others'
    const find = async (as: TestUser) =>
      (await site.call(findOwnBookmarksByUrl, { query: { url: source_url } }, as)).others
    const secret = await saveTo('known', { video: { source_url }, bookmark: { access: 'private' } })
    expect(await find(bob)).toBeNull()
    await site.call(trashBookmark, byId(secret.id), alice)
    const open = await saveTo('known', { video: { source_url } })
    expect(await find(bob)).toEqual({ saves_count: 1, bookmark_id: open.id })
    // The viewer's own save is not another user's.
    expect(await find(alice)).toBeNull()
    const second = await saveFilm(site, bob, 'known', { video: { source_url } })
    expect(await find(bob)).toEqual({ saves_count: 1, bookmark_id: open.id })
    expect(await find(alice)).toEqual({ saves_count: 1, bookmark_id: second.id })
    await site.db`update videos set status = 'hidden' where id = ${open.video.id}`
    expect(await find(bob)).toBeNull()
  })

  test('accepts every form of the link, and finds them for their owner only', async () => {
    const { id } = await saveTo('yt', {
      video: { source_url: 'https://www.youtube.com/watch?v=aqz-KE-bpKQ' },
      bookmark: { access: 'private' },
    })
    for (const url of [
      'https://youtu.be/aqz-KE-bpKQ?t=3',
      'http://m.youtube.com/watch?v=aqz-KE-bpKQ&utm_source=x',
    ]) {
      expect(await site.call(findOwnBookmarksByUrl, { query: { url } }, alice)).toMatchObject({
        bookmarks: [
          { id, access: 'private', collection: { name: 'My Vault' }, channel: { name: 'General' } },
        ],
      })
      expect(await site.call(findOwnBookmarksByUrl, { query: { url } }, bob)).toEqual({
        bookmarks: [],
        others: null,
      })
    }
    await site.call(trashBookmark, byId(id), alice)
    const url = 'https://youtu.be/aqz-KE-bpKQ'
    expect(await site.call(findOwnBookmarksByUrl, { query: { url } }, alice)).toMatchObject({ bookmarks: [] })
    expect(
      await failedReply(site.call(findOwnBookmarksByUrl, { query: { url: 'not a link' } }, alice)),
    ).toEqual({
      status: 400,
      body: { code: 'invalid', url: ['Enter a valid URL.'] },
    })
  })
})

test('two hundred concurrent requests to save one new video create one video with correct counters', {
  tags: 'heavy',
}, async () => {
  const second = await createDestination(site, alice)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) =>
      saveFilm(site, n % 2 ? alice : bob, 'the-one', { bookmark: n % 4 === 1 ? second : {} }),
    ),
  )
  const saved = outcomes.filter(({ status }) => status === 'fulfilled')
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason.status] : [],
  )
  expect(saved).toHaveLength(3)
  expect(new Set(refused)).toEqual(new Set([409]))
  expect(await counterMismatches(site)).toEqual([])
})
