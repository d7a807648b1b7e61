import { bulkUpdateBookmarks, updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import type { CallError } from '@reelmark/contract/protocol/call.ts'
import {
  changeTags,
  listOwnTags,
  listTagChanges,
  listTags,
  type TagChange,
  undoTagChange,
} from '@reelmark/contract/tags.ts'
import { beforeEach, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { completeTagChange, removeOldTagChanges } from './tag-change-queries.ts'

const { site, alice, bob } = await useSite()

let carol: TestUser
let userCount = 0
beforeEach(async () => {
  userCount += 1
  carol = await signUp(site, `carol${userCount}`)
})

let filmCount = 0
const save = async (user: TestUser, tags: string[], access: 'public' | 'private' = 'public') => {
  filmCount += 1
  return (await saveFilm(site, user, filmCount, { video: { tags }, bookmark: { access } })).id
}
const tagsOf = async (id: number) =>
  (await site.db<[{ tags: string[] }]>`select tags from bookmarks where id = ${id}`)[0].tags
const ownTags = async (user: TestUser, query: { q?: string; sort?: 'name' | 'most_used' } = {}) =>
  (await site.call(listOwnTags, { query }, user)).results.map(
    ({ name, bookmarks_count }) => `${name} ${bookmarks_count}`,
  )
const change = (user: TestUser, tags: string[], replacement: string | null) =>
  site.call(changeTags, { body: { tags, replacement } }, user)
const undo = (user: TestUser, { id }: TagChange) => site.call(undoTagChange, { params: { id } }, user)
const trash = (user: TestUser, ...ids: number[]) =>
  site.call(bulkUpdateBookmarks, { body: { ids, action: 'trash' } }, user)
const setTags = (user: TestUser, id: number, tags: string[]) =>
  site.call(updateBookmark, { params: { id }, body: { tags } }, user)
const found = async (user: TestUser, q: string) =>
  (await site.call(listVideos, { query: { q, user: user.username } }, null)).results.map(({ id }) => id)

test('own tags are listed with their counts, private bookmarks included, those in the trash not', async () => {
  await save(carol, ['sea', 'boats'])
  await save(carol, ['sea', 'secret sea'], 'private')
  const trashed = await save(carol, ['sea', 'old'])
  await save(bob, ['sea', 'his own'])
  await trash(carol, trashed)
  expect(await ownTags(carol)).toEqual(['boats 1', 'sea 2', 'secret sea 1'])
  expect(await ownTags(carol, { sort: 'most_used' })).toEqual(['sea 2', 'boats 1', 'secret sea 1'])
  expect(await ownTags(carol, { q: ' SEA' })).toEqual(['sea 2', 'secret sea 1'])
  expect(await ownTags(carol, { q: '%' })).toEqual([])
  const page = await site.call(listOwnTags, { query: { page: 2, page_size: 2 } }, carol)
  expect(page).toMatchObject({
    count: 3,
    next: null,
    previous: '/api/tags/own/?page=1&page_size=2&sort=name',
  })
  expect(page.results).toEqual([{ name: 'secret sea', bookmarks_count: 1 }])
  expect(await counterMismatches(site)).toEqual([])
})

test('a tag is renamed on all bookmarks in its position, and searches, tags and counts follow', async () => {
  const first = await save(carol, ['a', 'sea', 'z'])
  const hidden = await save(carol, ['sea'], 'private')
  const trashed = await save(carol, ['sea'])
  const others = await save(bob, ['sea'])
  await trash(carol, trashed)

  expect(await change(carol, ['Sea'], '  The  Ocean ')).toMatchObject({
    tags: ['sea'],
    replacement: 'the ocean',
    state: 'done',
    // As in the list of own tags, without the one in the trash.
    bookmarks_count: 2,
    finished_count: 2,
  })
  expect(await tagsOf(first)).toEqual(['a', 'the ocean', 'z'])
  expect(await tagsOf(hidden)).toEqual(['the ocean'])
  expect(await tagsOf(trashed)).toEqual(['the ocean'])
  expect(await tagsOf(others)).toEqual(['sea'])
  expect(await ownTags(carol)).toEqual(['a 1', 'the ocean 2', 'z 1'])
  expect(await found(carol, 'tag:"the ocean"')).toEqual([first])
  expect(await found(carol, 'ocean')).toEqual([first])
  expect(await found(carol, 'tag:sea')).toEqual([])
  const { results } = await site.call(listTags, { query: { q: 'the ocean' } })
  expect(results).toMatchObject([{ name: 'the ocean', uses_count: 1 }])
  expect(await counterMismatches(site)).toEqual([])
})

test('several tags are merged into one, and undoing restores exactly what each bookmark had', async () => {
  const both = await save(carol, ['film', 'x', 'movie'])
  const one = await save(carol, ['movies'])
  const had = await save(carol, ['cinema', 'film'])
  const other = await save(carol, ['cinema'])
  const merged = await change(carol, ['film', 'movie', 'movies'], 'cinema')
  expect(await ownTags(carol)).toEqual(['cinema 4', 'x 1'])
  expect(await tagsOf(both)).toEqual(['cinema', 'x'])

  expect(await undo(carol, merged)).toMatchObject({ state: 'undone', finished_count: 3 })
  expect(await tagsOf(both)).toEqual(['film', 'x', 'movie'])
  expect(await tagsOf(one)).toEqual(['movies'])
  expect(await tagsOf(had)).toEqual(['cinema', 'film'])
  expect(await tagsOf(other)).toEqual(['cinema'])
  // Undoing twice is undoing once.
  expect(await undo(carol, merged)).toMatchObject({ state: 'undone' })
  expect(await counterMismatches(site)).toEqual([])
})

test('undoing does not overwrite what the user changed since', async () => {
  const retagged = await save(carol, ['sea', 'a'])
  const untagged = await save(carol, ['sea', 'a'])
  const again = await save(carol, ['sea'])
  const purged = await save(carol, ['sea'])
  const full = await save(carol, ['sea'])
  const renamed = await change(carol, ['sea'], 'ocean')
  await setTags(carol, retagged, ['new', 'ocean', 'a'])
  await setTags(carol, untagged, ['a'])
  await setTags(carol, again, ['ocean', 'sea'])
  await site.db`delete from bookmarks where id = ${purged}`
  const later = await save(carol, ['ocean'])
  const deleted = await change(carol, ['a'], null)
  await setTags(
    carol,
    full,
    Array.from({ length: 30 }, (_, n) => `tag ${n}`),
  )
  await undo(carol, renamed)
  expect(await tagsOf(retagged)).toEqual(['new', 'sea'])
  expect(await tagsOf(untagged)).toEqual([])
  expect(await tagsOf(again)).toEqual(['sea'])
  expect(await tagsOf(later)).toEqual(['ocean'])
  expect(await tagsOf(full)).toHaveLength(30)
  await undo(carol, deleted)
  expect(await tagsOf(retagged)).toEqual(['new', 'sea', 'a'])
  expect(await tagsOf(untagged)).toEqual(['a'])
  expect(await counterMismatches(site)).toEqual([])
})

test('changes without an effect, invalid tags, and undoing changes of others or after a week are refused', async () => {
  await save(carol, ['sea'])
  await trash(carol, await save(carol, ['old']))
  const refused = async (tags: string[], replacement: string | null) => {
    const error: unknown = await change(carol, tags, replacement).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 400 })
    return (error as CallError).body
  }
  expect(await refused(['unknown'], 'x')).toHaveProperty('tags')
  expect(await refused(['old'], 'x')).toHaveProperty('tags')
  expect(await refused(['sea'], ' SEA')).toHaveProperty('replacement')
  expect(await refused(['sea'], 'a, b')).toHaveProperty('replacement')
  expect(await refused(['sea'], 'İ'.repeat(50))).toHaveProperty('replacement')
  const done = await change(carol, ['sea'], 'ocean')
  await expect(undo(alice, done)).rejects.toMatchObject({ status: 404 })
  await site.db`update tag_changes set created_at = now() - interval '8 days' where id = ${done.id}`
  await expect(undo(carol, done)).rejects.toMatchObject({ status: 404 })
  expect((await site.call(listTagChanges, { query: {} }, carol)).count).toBe(0)
  await removeOldTagChanges(site.db)
  expect(await site.db`select from tag_changes where id = ${done.id}`).toHaveLength(0)
})

/** Saves `count` private bookmarks with tags, as SQL. */
async function saveMany(user: TestUser, count: number, tags: string[]): Promise<void> {
  const { collection_id } = await vaultDestination(site, user)
  await site.db`
    with films as (
      insert into videos (canonical_url, source_url, host)
      select url, url, 'films.example.org'
        from generate_series(1, ${count}) n, lateral (select 'https://films.example.org/many/' || ${user.username} || n as url) link
      returning id)
    insert into bookmarks (user_id, video_id, collection_id, title, access, tags)
    select ${user.id}, id, ${collection_id}, 'Film', 'private', ${tags}::text[] from films`
}

test('a job changes more than 50 bookmarks, can be interrupted, and is undone by a job', async () => {
  await saveMany(carol, 700, ['sea', 'many'])
  const running = await change(carol, ['sea'], 'ocean')
  expect(running).toMatchObject({ state: 'running', bookmarks_count: 700, finished_count: 0 })
  expect(await ownTags(carol)).toEqual(['many 700', 'sea 700'])
  // Bookmarks that were changed meanwhile, or by an interrupted run, are not changed twice.
  await site.db`
    update bookmarks set tags = '{other}' where id in (
      select id from bookmarks where user_id = ${carol.id} order by id limit 10)`
  await completeTagChange(site.db, running.id)
  await completeTagChange(site.db, running.id)
  expect(await ownTags(carol)).toEqual(['many 690', 'ocean 690', 'other 10'])
  expect((await site.call(listTagChanges, { query: {} }, carol)).results).toMatchObject([{ state: 'done' }])

  expect(await undo(carol, running)).toMatchObject({ state: 'undoing', finished_count: 0 })
  await completeTagChange(site.db, running.id)
  expect(await ownTags(carol)).toEqual(['many 690', 'other 10', 'sea 690'])
  expect((await site.call(listTagChanges, { query: {} }, carol)).results).toMatchObject([{ state: 'undone' }])
  expect(await counterMismatches(site)).toEqual([])
})

test('undoing a change that has not finished stops it', async () => {
  await saveMany(carol, 600, ['sea'])
  const running = await change(carol, ['sea'], null)
  expect(await undo(carol, running)).toMatchObject({ state: 'undone' })
  await completeTagChange(site.db, running.id)
  expect(await ownTags(carol)).toEqual(['sea 600'])
})

test('concurrent changes, edits and saves of the same tags neither deadlock nor miscount', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => save(carol, ['a', 'b', 'c'])))
  await Promise.all([
    change(carol, ['a'], 'b'),
    change(carol, ['b'], 'c'),
    change(carol, ['c'], 'a').then((changed) => undo(carol, changed)),
    ...ids.slice(0, 8).map((id) => setTags(carol, id, ['c', 'a'])),
    ...Array.from({ length: 5 }, () => save(carol, ['c', 'b', 'a'])),
    trash(carol, ...ids.slice(8, 12)),
  ])
  expect(await counterMismatches(site)).toEqual([])
})
