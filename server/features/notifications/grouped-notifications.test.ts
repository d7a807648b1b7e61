/** Likes and saves of several bookmarks within six hours are one entry of the list and of the unread count. */
import { blockUser } from '@reelmark/contract/blocks.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { failedReply, type TestUser } from '../../testing/test-users.ts'
import { useNotificationSite } from './notified-users.fixture.ts'

const { site, signUpNotifiedUsers, filmName, listFor, countUnreadFor, markRead, like, follow } =
  await useNotificationSite()
let alice: TestUser
let bob: TestUser
let cyd: TestUser
let films: { id: number; video: { id: number } }[]
beforeEach(async () => {
  ;({ alice, bob, cyd } = await signUpNotifiedUsers())
  films = []
  for (let n = 0; n < 6; n++) films.push(await saveFilm(site, alice, filmName(`film${n}`)))
})

/** The middle of one of the six hours, some days ago, so that the hour in which the tests run makes no difference. */
const groupStart = Math.floor(Date.now() / 21_600_000 - 8) * 21_600
const groupId = (kind: 'likes' | 'saves', later = 0) => `${kind}-${groupStart / 21_600 + later}`

/** Likes films one after the other. The first event is at the beginning of the six hours, the others a minute apart. */
async function likeFilms(by: TestUser, indexes: readonly number[]) {
  for (const index of indexes) await like(by, films[index]?.video.id ?? 0)
  await setTimes()
}

/** Moves events to the six hours, in their order, with those of videos given in `later` six hours later. */
async function setTimes(later: readonly number[] = []) {
  await site.db`
    update notifications n
       set last_event_at = to_timestamp(${groupStart}) + place * interval '1 minute'
                           + case when video_id = any (${[...later]}::bigint[]) then interval '6 hours' else interval '0' end
      from (select id, row_number() over (order by id) as place from notifications where user_id = ${alice.id}) placed
     where placed.id = n.id and n.user_id = ${alice.id}`
}
const titles = (entry: { bookmark: { id: number } | null; more_bookmarks: { id: number }[] }) =>
  [entry.bookmark, ...entry.more_bookmarks].map((shown) => films.findIndex(({ id }) => id === shown?.id))

describe('likes of several bookmarks', () => {
  test('are one entry with the latest four bookmarks and each user once', async () => {
    await likeFilms(bob, [0, 1, 2, 3, 4])
    await likeFilms(cyd, [4])
    const { count, results } = await listFor(alice)
    expect([count, await countUnreadFor(alice)]).toEqual([1, 1])
    const [entry] = results
    expect(entry).toMatchObject({
      id: groupId('likes'),
      kind: 'own_video_liked',
      bookmarks_count: 5,
      actors_count: 2,
      is_read: false,
    })
    expect(entry && titles(entry)).toEqual([4, 3, 2, 1])
    expect(entry?.actors.map(({ username }) => username)).toEqual([cyd.username, bob.username])
  })

  test('are separate from likes six hours later, from saves, and from other kinds', async () => {
    await likeFilms(bob, [0, 1, 2, 3])
    await saveFilm(site, bob, filmName('film0'))
    await saveFilm(site, bob, filmName('film1'))
    await follow(bob, alice)
    await setTimes([2, 3].map((index) => films[index]?.video.id ?? 0))
    const { count, results } = await listFor(alice)
    expect(results.map(({ id, bookmarks_count }) => [id, bookmarks_count])).toEqual([
      [groupId('likes', 1), 2],
      [expect.stringMatching(/^event-/), 1],
      [groupId('saves'), 2],
      [groupId('likes'), 2],
    ])
    expect([count, await countUnreadFor(alice)]).toEqual([4, 4])
  })

  test('are found behind any number of later likes that were withdrawn', async () => {
    await likeFilms(bob, [0, 1])
    // Events without actors, as withdrawn likes are not shown either.
    await site.db`
      insert into notifications (user_id, kind, video_id, last_event_at, read_at)
      select user_id, kind, video_id, last_event_at + n * interval '1 second', now()
        from notifications, generate_series(1, 150) n where user_id = ${alice.id}`
    expect((await listFor(alice)).results).toMatchObject([{ id: groupId('likes'), bookmarks_count: 2 }])
  })

  test('of one bookmark have the id of their event', async () => {
    await likeFilms(bob, [0])
    expect((await listFor(alice)).results).toMatchObject([
      { id: expect.stringMatching(/^event-/), bookmarks_count: 1, more_bookmarks: [] },
    ])
  })

  test('are paged with other entries, each once', async () => {
    await likeFilms(bob, [0, 1])
    await follow(bob, alice)
    await follow(cyd, alice)
    await saveFilm(site, cyd, filmName('film0'))
    const all = (await listFor(alice)).results.map(({ id }) => id)
    const pages = []
    for (let page = 1; page <= all.length; page++)
      pages.push(...(await listFor(alice, { page, page_size: 1 })).results.map(({ id }) => id))
    expect(pages).toEqual(all)
    expect(await failedReply(listFor(alice, { page: all.length + 1, page_size: 1 }))).toMatchObject({
      status: 404,
    })
  })

  test('are listed one by one, with pages, and to nobody else', async () => {
    await likeFilms(bob, [0, 1, 2])
    const group = groupId('likes')
    const single = await listFor(alice, { group })
    expect(single.count).toBe(3)
    expect(single.results.map(titles)).toEqual([[2], [1], [0]])
    for (const { id } of single.results) expect(id).toMatch(/^event-/)
    const second = await listFor(alice, { group, page: 2, page_size: 2 })
    expect(second.results.map(titles)).toEqual([[0]])
    expect((await listFor(bob, { group })).count).toBe(0)
    expect((await listFor(alice, { group: groupId('saves') })).count).toBe(0)
  })
})

test('another like of a bookmark after the first was read makes the entry unread, and counts the bookmark once', async () => {
  await likeFilms(bob, [0])
  await markRead(alice, { all: true })
  await likeFilms(cyd, [0])
  expect((await listFor(alice)).results).toMatchObject([
    { id: groupId('likes'), bookmarks_count: 1, actors_count: 2, is_read: false, more_bookmarks: [] },
  ])
  expect((await markRead(alice, { ids: [groupId('likes')] })).count).toBe(0)
})

describe('a group contains nothing of', () => {
  test.each([
    ['a user who took back the likes', () => site.db`delete from likes where user_id = ${bob.id}`],
    ['a blocked user', () => site.call(blockUser, { params: { id: bob.id } }, alice)],
    ['a user who blocked the receiver', () => site.call(blockUser, { params: { id: alice.id } }, bob)],
    ['a muted user', () => site.call(createMute, { body: { user_id: bob.id } }, alice)],
    ['a banned user', () => site.db`update users set banned_at = now() where id = ${bob.id}`],
    [
      'a user who hides their likes',
      () => site.db`update users set likes_visibility = 'only_me' where id = ${bob.id}`,
    ],
  ])('%s, neither names nor numbers', async (_, hide) => {
    await likeFilms(bob, [0, 1, 2, 3])
    await likeFilms(cyd, [0, 1])
    await hide()
    const { count, results } = await listFor(alice)
    expect(count).toBe(1)
    expect(results).toMatchObject([{ bookmarks_count: 2, actors_count: 1, actors: [{ id: cyd.id }] }])
    expect(results[0] && titles(results[0])).toEqual([1, 0])
    expect((await listFor(alice, { group: groupId('likes') })).count).toBe(2)
    await site.db`delete from likes where user_id = ${cyd.id}`
    expect([(await listFor(alice)).count, await countUnreadFor(alice)]).toEqual([0, 0])
  })

  test('a video under review or a deleted bookmark', async () => {
    await likeFilms(bob, [0, 1, 2])
    await site.db`update videos set status = 'hidden' where id = ${films[0]?.video.id ?? 0}`
    expect((await listFor(alice)).results).toMatchObject([{ bookmarks_count: 2 }])
    await site.db`update videos set status = 'hidden' where id = ${films[1]?.video.id ?? 0}`
    expect((await listFor(alice)).results).toMatchObject([{ id: expect.stringMatching(/^event-/) }])
  })
})

describe('reading a group', () => {
  test('marks all of its events, and none of other groups, kinds or users', async () => {
    await likeFilms(bob, [0, 1, 2, 3])
    await saveFilm(site, bob, filmName('film0'))
    await saveFilm(site, bob, filmName('film1'))
    await setTimes([2, 3].map((index) => films[index]?.video.id ?? 0))
    expect((await markRead(bob, { ids: [groupId('likes')] })).count).toBe(0)
    expect(await countUnreadFor(alice)).toBe(3)
    expect((await markRead(alice, { ids: [groupId('likes')] })).count).toBe(2)
    expect((await listFor(alice)).results.map(({ id, is_read }) => [id, is_read])).toEqual([
      [groupId('likes', 1), false],
      [groupId('saves'), false],
      [groupId('likes'), true],
    ])
    expect((await markRead(alice, { ids: [groupId('likes', 1), groupId('saves')] })).count).toBe(0)
  })

  test('leaves events unread that were added since it was shown, which make it unread again', async () => {
    await likeFilms(bob, [0, 1])
    const [shown] = (await listFor(alice)).results
    await likeFilms(bob, [2])
    const until = shown?.created_at ?? ''
    expect((await markRead(alice, { ids: [groupId('likes')], until })).count).toBe(1)
    expect((await listFor(alice)).results).toMatchObject([{ is_read: false, bookmarks_count: 3 }])
    expect((await markRead(alice, { ids: [groupId('likes')] })).count).toBe(0)
    expect((await listFor(alice)).results).toMatchObject([{ is_read: true, bookmarks_count: 3 }])
  })
})
