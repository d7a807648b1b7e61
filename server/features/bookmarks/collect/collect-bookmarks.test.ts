/** Collecting what others keep, finding what one keeps oneself, Watch Later, and what was watched. */

import { trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import {
  clearWatched,
  collectBookmark,
  collectChannel,
  collectCollection,
  findOwnBookmarksByUrl,
  markWatched,
  toggleWatchLater,
  unmarkWatched,
} from '@reelmark/contract/collect.ts'
import { listCollections, updateCollection } from '@reelmark/contract/collections.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { createDestination, saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let bob: TestUser
let people = 0

beforeAll(async () => {
  site = await bootApp()
})
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `alice${people}`)
  bob = await signUp(site, `bob${people}`)
})
afterAll(() => site.close())

const byId = (id: number) => ({ params: { id } })
const saveTo = (film: number | string, options: Parameters<typeof saveFilm>[3] = {}, who = alice) =>
  saveFilm(site, who, `${people}-${film}`, options)
const into = async (who: TestUser) => {
  const { collection_id, channel_id } = await vaultDestination(site, who)
  return { collection: collection_id, channel: channel_id }
}
const collect = (
  bookmark: number,
  destination: { collection?: number | null; channel?: number | null },
  who = bob,
) => site.call(collectBookmark, { body: { bookmark, ...destination } }, who)

describe('collecting a bookmark', () => {
  test('copies its video, title, description and tags into a place of one’s own', async () => {
    const source = await saveTo(1, { bookmark: { title: 'Hers', description: 'Said so', tags: ['a', 'b'] } })
    const destination = await into(bob)
    const copy = await collect(source.id, destination)
    expect(copy).toMatchObject({
      title: 'Hers',
      description: 'Said so',
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

  test('says at which field the place, or what is collected, is none', async () => {
    const { id } = await saveTo(1)
    const [mine, hers] = [await into(bob), await into(alice)]
    expect(await failedReply(collect(id, {}))).toEqual({
      status: 400,
      body: { code: 'invalid', collection: ['A collection is required.'] },
    })
    expect(await failedReply(collect(id, { collection: null }))).toMatchObject({ status: 400 })
    expect(await failedReply(collect(id, hers))).toEqual({
      status: 400,
      body: { code: 'invalid', collection: [`Invalid pk "${hers.collection}" - object does not exist.`] },
    })
    expect(await failedReply(collect(id, { ...mine, channel: hers.channel }))).toEqual({
      status: 400,
      body: { code: 'invalid', channel: [`Invalid pk "${hers.channel}" - object does not exist.`] },
    })
    expect(await failedReply(collect(1e9, mine))).toMatchObject({
      status: 400,
      body: { code: 'invalid', bookmark: [expect.any(String)] },
    })
    const wrong = site.call(collectBookmark, { body: { bookmark: 'x' as unknown as number } }, bob)
    expect(await failedReply(wrong)).toMatchObject({
      status: 400,
      body: { code: 'invalid', bookmark: [expect.any(String)] },
    })
    expect(await failedReply(site.call(collectBookmark, { body: { bookmark: id, ...mine } }))).toMatchObject({
      status: 401,
    })
  })

  test('does nothing with what one may not see, and makes nothing public that is private', async () => {
    const secret = await createDestination(site, alice, 'private')
    const mine = await into(bob)
    const hidden = await saveTo('hidden')
    await site.db`update videos set status = 'hidden' where id = ${hidden.video.id}`
    const trashed = await saveTo('trashed')
    await site.call(trashBookmark, byId(trashed.id), alice)
    const inSecret = await saveTo(2, { bookmark: secret })
    for (const { id } of [await saveTo(1, { bookmark: { access: 'private' } }), inSecret, hidden, trashed])
      expect(await failedReply(collect(id, mine))).toMatchObject({
        status: 400,
        body: { code: 'invalid', bookmark: [`Invalid pk "${id}" - object does not exist.`] },
      })
    // One's own, out of a private collection into a public one.
    expect(await collect(inSecret.id, await into(alice), alice)).toMatchObject({
      access: 'private',
      is_public: false,
    })
  })

  test('is done once for an Idempotency-Key', async () => {
    const { id } = await saveTo(1)
    const payload = { bookmark: id, ...(await into(bob)) }
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

  test('at once by many, while its collection is hidden and shown: each gets it or is told, and counts are right', async () => {
    const destination = await createDestination(site, alice)
    const { id } = await saveTo('flip', { bookmark: destination })
    const others = await Promise.all(Array.from({ length: 6 }, (_, n) => signUp(site, `m${people}x${n}`)))
    const outcomes = await Promise.allSettled([
      ...others.flatMap((who) => [
        into(who).then((mine) => collect(id, mine, who)),
        saveTo('flip', {}, who),
        saveTo(`flip${who.username}`, {}, who),
      ]),
      ...Array.from({ length: 12 }, (_, n) =>
        site.call(
          updateCollection,
          { ...byId(destination.collection_id), body: { access: n % 2 === 0 ? 'private' : 'public' } },
          alice,
        ),
      ),
    ])
    const failed = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.status] : []))
    expect(failed.filter((status) => ![400, 409].includes(status))).toEqual([])
    expect(await counterMismatches(site)).toEqual([])
  })
})

describe('collecting everything', () => {
  test('in a collection or channel takes what one may see, in its order, and no second time', async () => {
    const destination = await createDestination(site, alice)
    await saveTo(1, { bookmark: destination })
    await saveTo(2, { bookmark: destination })
    await saveTo(3, { bookmark: { collection_id: destination.collection_id } })
    await saveTo(4, { bookmark: { ...destination, access: 'private' } })
    const mine = await into(bob)
    const channel = await site.call(collectChannel, { ...byId(destination.channel_id), body: mine }, bob)
    expect(channel).toEqual({ added: 2, duplicates: 0, refused: 0 })
    const all = await site.call(collectCollection, { ...byId(destination.collection_id), body: mine }, bob)
    expect(all).toEqual({ added: 1, duplicates: 2, refused: 0 })
    const { results } = await site.call(listVideos, { query: { user: bob.username } })
    expect(results.map(({ title }) => title)).toEqual([3, 2, 1].map((film) => `Film ${people}-${film}`))
    expect(await counterMismatches(site)).toEqual([])
  })

  test('of somebody’s private collection is not found; into nowhere is refused', async () => {
    const secret = await createDestination(site, alice, 'private')
    const mine = await into(bob)
    const [all, one] = [
      () => site.call(collectCollection, { ...byId(secret.collection_id), body: mine }, bob),
      () => site.call(collectChannel, { ...byId(secret.channel_id), body: mine }, bob),
    ]
    for (const call of [all, one]) expect(await failedReply(call())).toMatchObject({ status: 404 })
    const open = await createDestination(site, alice)
    const nowhere = site.call(collectCollection, { ...byId(open.collection_id), body: {} }, bob)
    expect(await failedReply(nowhere)).toMatchObject({
      status: 400,
      body: { code: 'invalid', collection: [expect.any(String)] },
    })
  })

  test('takes a thousand in one request, and says so where there is too much', async () => {
    const { collection_id } = await createDestination(site, alice)
    const fill = (from: number, to: number) => site.db`
      with made as (
        insert into videos (canonical_url, source_url, host)
        select 'https://all.example.org/' || n, 'https://all.example.org/' || n, 'all.example.org'
          from generate_series(${from}::int, ${to}::int) n returning id)
      insert into bookmarks (user_id, video_id, collection_id, title, tags)
      select ${alice.id}, id, ${collection_id}, 'All', array['x', 'y'] from made`
    await fill(1, 1000)
    const mine = await into(bob)
    const began = performance.now()
    const all = () => site.call(collectCollection, { ...byId(collection_id), body: mine }, bob)
    expect(await all()).toEqual({ added: 1000, duplicates: 0, refused: 0 })
    process.stderr.write(`1,000 collected in ${Math.round(performance.now() - began)} ms\n`)
    await fill(1001, 2001)
    expect(await failedReply(all())).toMatchObject({ status: 409 })
    expect(await counterMismatches(site)).toEqual([])
  })
})

describe('what one keeps already', () => {
  test('is found by a link in any form, and by its owner alone', async () => {
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
      expect(await site.call(findOwnBookmarksByUrl, { query: { url } }, bob)).toEqual({ bookmarks: [] })
    }
    await site.call(trashBookmark, byId(id), alice)
    const url = 'https://youtu.be/aqz-KE-bpKQ'
    expect(await site.call(findOwnBookmarksByUrl, { query: { url } }, alice)).toEqual({ bookmarks: [] })
    expect(
      await failedReply(site.call(findOwnBookmarksByUrl, { query: { url: 'not a link' } }, alice)),
    ).toEqual({
      status: 400,
      body: { code: 'invalid', url: ['Enter a valid URL.'] },
    })
  })
})

describe('Watch Later', () => {
  const toggle = (id: number, who = bob) => site.call(toggleWatchLater, byId(id), who)

  test('is one click in and one click out, in a private collection made on first use', async () => {
    const { video } = await saveTo(1, { bookmark: { tags: ['x'] } })
    const put = await toggle(video.id)
    expect(put).toMatchObject({ is_in_watch_later: true, bookmark_id: expect.any(Number) })
    expect(await site.call(getBookmark, byId(put.bookmark_id ?? 0), bob)).toMatchObject({
      title: video.title,
      is_public: false,
      is_in_watch_later: true,
      collection: { id: put.collection_id, name: 'Watch Later', access: 'private' },
    })
    expect(await failedReply(site.call(getBookmark, byId(put.bookmark_id ?? 0), alice))).toMatchObject({
      status: 404,
    })
    const own = await site.call(listCollections, { query: {} }, bob)
    expect(own.results.map(({ name, is_watch_later }) => [name, is_watch_later])).toEqual([
      ['My Vault', false],
      ['Watch Later', true],
    ])
    expect(await site.call(listCollections, { query: { user: bob.username } })).toMatchObject({ count: 1 })
    expect(await toggle(video.id)).toMatchObject({ is_in_watch_later: false, bookmark_id: null })
    expect(await toggle(video.id)).toEqual(put)
    expect(await counterMismatches(site)).toEqual([])
  })

  test('of a video that is not there for one is not found, and makes nothing', async () => {
    const { video } = await saveTo(1, { bookmark: { access: 'private' } })
    expect(await failedReply(toggle(video.id))).toMatchObject({ status: 404 })
    expect(await failedReply(toggle(1e9))).toMatchObject({ status: 404 })
    expect((await site.call(listCollections, { query: {} }, bob)).count).toBe(1)
    expect(await toggle(video.id, alice)).toMatchObject({ is_in_watch_later: true })
  })

  test('clicked ten times at once makes one collection, and ends as clicked', async () => {
    const { video } = await saveTo(1)
    await Promise.all(Array.from({ length: 10 }, () => toggle(video.id)))
    const [row] = await site.db`
      select count(distinct c.id)::int as collections, count(b.id) filter (where b.deleted_at is null)::int as kept,
             count(b.id)::int as rows
        from collections c left join bookmarks b on b.collection_id = c.id
       where c.user_id = ${bob.id} and c.is_watch_later`
    expect(row).toEqual({ collections: 1, kept: 0, rows: 1 })
  })
})

test('a video is marked as watched for its watcher alone, in lists and on its page', async () => {
  const { id, video } = await saveTo(1)
  const watchedBy = async (who: TestUser | null) => {
    const { results } = await site.call(listVideos, { query: { user: alice.username } }, who)
    const bookmark = await site.call(getBookmark, byId(id), who)
    return [results[0]?.is_watched ?? false, bookmark.is_watched]
  }
  expect(await site.call(markWatched, byId(video.id), bob)).toEqual({ is_watched: true })
  await site.call(markWatched, byId(video.id), bob)
  expect(await watchedBy(bob)).toEqual([true, true])
  for (const other of [alice, null]) expect(await watchedBy(other)).toEqual([false, false])
  expect(await site.call(unmarkWatched, byId(video.id), bob)).toEqual({ is_watched: false })
  expect(await watchedBy(bob)).toEqual([false, false])
  const secret = await saveTo(2, { bookmark: { access: 'private' } })
  expect(await failedReply(site.call(markWatched, byId(secret.video.id), bob))).toMatchObject({ status: 404 })
  expect(await failedReply(site.call(markWatched, byId(secret.video.id)))).toMatchObject({ status: 401 })
})

test('two hundred saves of one new video at once, through the door: one video, every count right', async () => {
  const mine = await createDestination(site, alice)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) =>
      saveFilm(site, n % 2 ? alice : bob, 'the-one', { bookmark: n % 4 === 1 ? mine : {} }),
    ),
  )
  const won = outcomes.filter(({ status }) => status === 'fulfilled')
  const lost = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.status] : []))
  expect(won).toHaveLength(3)
  expect(new Set(lost)).toEqual(new Set([409]))
  expect(await counterMismatches(site)).toEqual([])
})

test('all marks go at once, one’s own alone', async () => {
  await site.db`
    with made as (
      insert into videos (canonical_url, source_url, host)
      select link, link, 'many.example.org'
        from (select 'https://many.example.org/watched/' || n as link from generate_series(1, 5001) n) links
      returning id)
    insert into watched_videos (user_id, video_id) select ${bob.id}, id from made`
  const { video } = await saveTo(1)
  await site.call(markWatched, byId(video.id), alice)
  await site.call(markWatched, byId(video.id), bob)
  expect(await site.call(clearWatched, {}, bob)).toEqual({ cleared: 5002 })
  expect(await site.call(clearWatched, {}, bob)).toEqual({ cleared: 0 })
  expect(await site.db`select user_id from watched_videos where video_id = ${video.id}`).toEqual([
    { user_id: alice.id },
  ])
  expect((await failedReply(site.call(clearWatched, {}))).status).toBe(401)
})
