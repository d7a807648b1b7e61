/** Random accounts with duplicates: what each user has after the merge equals what a model computes from what they had before. */
import { expect, test } from 'vitest'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { type Chance, createChance } from '../../../testing/create-chance.ts'
import { useEmptySite } from '../../../testing/use-site.ts'
import { trashOwnBookmarks } from '../public-api.ts'
import { saveBookmarkInTransaction } from '../save/queries.ts'
import { buildSave } from '../save/rules.ts'
import { forgetRule, linksOf, mergeAll } from './duplicate-video.fixture.ts'
import { mergeVideos } from './merge-videos.ts'
import { scanVideos } from './scan-videos.ts'

const site = await useEmptySite()
const { db } = site
const usersCount = 6
const filmsCount = 4

await db`insert into users (username, email) select 'u' || n || 'x', n || '@example.org' from generate_series(1, ${usersCount}::int) n`
await db`
  insert into collections (user_id, name, access)
  select id, access, access from users, unnest(array['public', 'private']) access order by id, access desc`

const videoAt = async (url: string) =>
  (await db<{ id: number }[]>`select id from videos where canonical_hash = url_hash(${url})`)[0]?.id ?? 0

function saveFor(user: number, link: string, chance: Chance) {
  const words = `w${chance(1000)}`
  const input = {
    video: { source_url: link, title: `Title ${words}`, description: chance(2) ? `Text ${words}` : '' },
    bookmark: {
      collection_id: user * 2 - chance(2),
      access: chance(3) ? ('public' as const) : ('private' as const),
      tags: [`t${chance(9)}`, `t${chance(9)}`],
      private_note: chance(2) ? `Note ${words}` : '',
    },
  }
  return db.begin((tx) => saveBookmarkInTransaction(tx, user, buildSave(input, [], 'public'), input.bookmark))
}

/** Creates videos at three links each, with random bookmarks, marks and comments of all users. */
async function createDuplicates(chance: Chance, name: string): Promise<string[]> {
  const links: string[] = []
  for (let film = 0; film < filmsCount; film++) {
    for (const [n, link] of linksOf(`${name}${film}`).entries()) {
      const plain = `https://plain.example.org/${name}/${film}/${n}`
      for (let user = 1; user <= usersCount; user++) {
        for (let times = chance(3); times > 0; times--)
          await saveFor(user, plain, chance).catch(ignoreRefused)
      }
      const id = await videoAt(plain)
      if (id === 0) continue
      await forgetRule(site, id, link)
      links.push(link)
      for (let user = 1; user <= usersCount; user++) {
        if (chance(2)) await db`insert into likes (user_id, video_id) values (${user}, ${id})`
        if (chance(2)) await db`insert into watched_videos (user_id, video_id) values (${user}, ${id})`
        if (chance(2))
          await db`insert into playback_positions (user_id, video_id, seconds) values (${user}, ${id}, ${1 + chance(99)})`
        if (chance(2)) await comment(user, id, chance)
      }
      if (chance(4) === 0) {
        await db`update videos set status = ${chance(2) ? 'removed' : 'hidden'} where id = ${id}`
      }
    }
  }
  await db`
    insert into timed_notes (bookmark_id, user_id, seconds, text, access)
    select id, user_id, id % 50, 'Note ' || id, b.access from bookmarks b where id % 2 = 0`
  await db`
    update bookmarks set deleted_at = now(), created_at = now() - interval '1 day' * (id % 50) where id % 11 = 0`
  await db`update bookmarks set created_at = now() - interval '1 day' * (id % 50) where id % 3 = 0`
  return links
}

/** Ignores that the user has the video in the collection already, or that it was removed. */
function ignoreRefused(error: unknown): void {
  if (error instanceof InvalidFields || (error instanceof ApiError && error.code === 'already-saved')) return
  throw error
}

async function comment(user: number, video: number, chance: Chance) {
  const [parent] = await db<{ id: number }[]>`
    select id from comments where video_id = ${video} and parent_id is null order by id limit 1`
  const parent_id = parent !== undefined && chance(2) ? parent.id : null
  await db`
    insert into comments (user_id, video_id, parent_id, content) values (${user}, ${video}, ${parent_id}, 'A comment')`
}

interface Saved {
  id: number
  user_id: number
  film: string
  collection_id: number
  access: string
  created_at: string
  title: string
  description: string
  tags: string[]
  private_note: string
  is_deleted: boolean
  notes: string[]
}

/** The film of a video: the part of its links that stays. */
const film = db`substring(v.canonical_url from '[a-z]+[0-9]_{3,}')`

/** What users have, by film and not by video. */
async function readSaved(): Promise<Saved[]> {
  return db<Saved[]>`
    select b.id, b.user_id, ${film} as film, b.collection_id, b.access, b.created_at::text, b.title, b.description, b.tags,
           b.private_note, b.deleted_at is not null as is_deleted,
           array(select n.text from timed_notes n where n.bookmark_id = b.id order by n.id) as notes
      from bookmarks b join videos v on v.id = b.video_id order by b.id`
}

const readMarks = (table: string, aggregate: string) =>
  db`select m.user_id, ${film} as film, ${db.unsafe(aggregate)} as value
       from ${db(table)} m join videos v on v.id = m.video_id group by 1, 2 order by 1, 2`

/** Which users like which films. */
async function readLiked(): Promise<Set<string>> {
  const likes = await db`select user_id, ${film} as film from likes l join videos v on v.id = l.video_id`
  return new Set(likes.map(({ user_id, film }) => `${user_id} ${film}`))
}

async function readState() {
  return {
    likes: await readMarks('likes', 'min(m.created_at)::text'),
    watched: await readMarks('watched_videos', 'max(m.watched_at)::text'),
    positions: await readMarks('playback_positions', '(array_agg(m.seconds order by m.updated_at desc))[1]'),
    comments: await db`
      select c.id, c.parent_id, ${film} as film, c.user_id from comments c join videos v on v.id = c.video_id order by c.id`,
    statuses: await db`
      select ${film} as film, max(case v.status when 'removed' then 2 when 'hidden' then 1 else 0 end) as value
        from videos v group by 1 order by 1`,
  }
}

/** The lines and tags of texts, in no order. Titles are left out: of two private bookmarks, that of the older one is used. */
function words(texts: readonly string[]): string {
  const lines = texts
    .flatMap((text) => text.split(/\n|, /))
    .filter((line) => line !== '' && !line.startsWith('Title'))
  return [...new Set(lines)].toSorted().join()
}

/** What users have after the merge: one bookmark of each film in a collection, with what the others had. */
function merged(saved: readonly Saved[]): Omit<Saved, 'id'>[] {
  const groups = Map.groupBy(
    saved.filter(({ is_deleted }) => !is_deleted),
    (one) => [one.user_id, one.film, one.collection_id].join(),
  )
  return [...groups.values()].map((group) => {
    const shown = group.filter(({ access }) => access === 'public')
    const similar = shown.length > 0 ? shown : group
    const earliest = similar.map(({ created_at }) => created_at).toSorted()[0] ?? ''
    const remaining = similar.toSorted((a, b) => a.id - b.id)[0] as Saved
    const secret = group.filter((one) => !similar.includes(one))
    return {
      ...remaining,
      created_at: earliest,
      description: words(similar.map(({ description }) => description)),
      tags: [...new Set(similar.flatMap(({ tags }) => tags))].toSorted(),
      private_note: words([
        ...similar.map((one) => one.private_note),
        ...secret.flatMap((one) => [one.title, one.description, one.tags.join(', '), one.private_note]),
      ]),
      notes: group.flatMap(({ notes }) => notes).toSorted(),
    }
  })
}

const byKey = (rows: readonly Omit<Saved, 'id'>[]) =>
  new Map(rows.map((row) => [[row.user_id, row.film, row.collection_id].join(), row]))

/** The actual bookmarks in the form of the model. */
function normalised(saved: readonly Saved[]) {
  return byKey(
    saved
      .filter(({ is_deleted }) => !is_deleted)
      .map((one) => ({
        ...one,
        description: words([one.description]),
        private_note: words([one.private_note]),
        tags: one.tags.toSorted(),
        notes: one.notes.toSorted(),
      })),
  )
}

test.each([1, 2, 3])(
  'each user has what they had, once, and what others see has no private words: %i',
  async (seed) => {
    const chance = createChance(seed)
    const name = `${'abc'[seed - 1]}x`
    const links = await createDuplicates(chance, name)
    const before = await readSaved()
    const stateBefore = await readState()
    // A first attempt that is interrupted.
    await scanVideos(db, { seconds: 600, version: `interrupted ${seed}` })
    await mergeVideos(db, { seconds: 0.05, deleteAfterSeconds: 0 })
    await mergeAll(site)
    const after = await readSaved()
    expect(normalised(after)).toEqual(byKey(merged(before)))
    expect(await readState()).toEqual(stateBefore)
    // One video per film, and all words of private bookmarks are in private notes or in private bookmarks.
    const [{ count }] = await db<[{ count: number }]>`
      select count(*)::int as count from videos v where ${film} like ${`${name}%`}`
    expect(count).toBe(new Set(links.map((link) => link.match(/[a-z]x\d/)?.[0])).size)
    const secret = new Set(before.filter(({ access }) => access === 'private').flatMap(({ tags }) => tags))
    expect(secret.size).toBeGreaterThan(0)
    const trashed = after.filter(
      (one) => one.is_deleted && !before.find(({ id }) => id === one.id)?.is_deleted,
    )
    expect(trashed.length).toBeGreaterThan(0)
    const redirects = await db<
      { id: number; bookmark_id: number }[]
    >`select id, bookmark_id from merged_bookmarks`
    const ownerOf = new Map(after.map((one) => [one.id, one]))
    for (const { id } of trashed) {
      const target = redirects.find((redirect) => redirect.id === id)?.bookmark_id ?? 0
      expect(ownerOf.get(target)).toMatchObject({ user_id: ownerOf.get(id)?.user_id, is_deleted: false })
    }
    expect(await counterMismatches(site)).toEqual([])
    expect(await db`select from video_merges`).toHaveLength(0)
  },
)

test('saves, likes, comments, deletions and rulings at the same time lose nothing and leave all counters correct', async () => {
  const chance = createChance(9)
  await createDuplicates(chance, 'zx')
  const ids = await db<{ id: number }[]>`select id from videos v where ${film} like 'zx%' order by id`
  const anyVideo = () => ids[chance(ids.length)]?.id ?? 0
  const user = () => 1 + chance(usersCount)
  const liked = await readLiked()
  const like = async () => {
    const [user_id, id] = [user(), anyVideo()]
    const [added] = await db`
      with video as (select v.id, ${film} as film from videos v where v.id = ${id} for no key update),
           added as (insert into likes (user_id, video_id) select ${user_id}, id from video on conflict do nothing)
      select film from video`
    if (added !== undefined) liked.add(`${user_id} ${added.film}`)
  }
  const changes = [
    () => saveFor(user(), linksOf(`zx${chance(filmsCount)}`)[0], chance).catch(ignoreRefused),
    like,
    () =>
      db.begin(async (tx) => {
        const id = anyVideo()
        const found = await tx`select from videos where id = ${id} for no key update`
        if (found.count > 0)
          await tx`insert into comments (user_id, video_id, content) values (${user()}, ${id}, 'now')`
      }),
    () =>
      db`insert into watched_videos (user_id, video_id) select ${user()}, id from videos where id = ${anyVideo()}
         on conflict do nothing`,
    async () => {
      const owner = user()
      const [one] = await db<{ id: number }[]>`
        select id from bookmarks where user_id = ${owner} and deleted_at is null order by id desc limit 1`
      if (one !== undefined)
        await db.begin((tx) => trashOwnBookmarks(tx, owner, [one.id], async () => [one.id]))
    },
    () => db`update videos set status = 'hidden' where id = ${anyVideo()} and status = 'visible'`,
  ]
  const failures: unknown[] = []
  let isMerging = true
  const work = async () => {
    while (isMerging) {
      try {
        await changes[chance(changes.length)]?.()
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const working = [work(), work(), work()]
  try {
    await scanVideos(db, { seconds: 600, version: 'concurrent' })
    // Two processes at once.
    await Promise.all([mergeVideos(db, { seconds: 600 }), mergeVideos(db, { seconds: 600 })])
  } finally {
    isMerging = false
    await Promise.all(working)
  }
  await mergeAll(site)
  expect(failures).toEqual([])
  expect(await db`select ${film} as film from videos v group by 1 having count(*) > 1`).toEqual([])
  const remaining = await readLiked()
  expect([...liked].filter((one) => !remaining.has(one))).toEqual([])
  expect(await counterMismatches(site)).toEqual([])
})
