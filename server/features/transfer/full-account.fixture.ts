/** An account with everything that can be exported, and helpers to export and import it. */
import { reorderBookmark } from '@reelmark/contract/bookmark-order.ts'
import {
  getImport,
  type Import,
  type ImportOptions,
  type ImportRow,
  listImportRows,
  startImport,
  uploadImport,
} from '@reelmark/contract/imports.ts'
import { downloadExport, getExport, startExport, type TransferFile } from '@reelmark/contract/transfer.ts'
import { expect } from 'vitest'
import type { Sql } from '../../core/database/database.ts'
import type { TestApp } from '../../testing/test-app.ts'
import { createDestination, saveFilm, vaultDestination } from '../../testing/test-bookmarks.ts'
import type { TestUser } from '../../testing/test-users.ts'

/** Polls until an export or import is finished, while the site runs its jobs. */
export async function waitUntilFinished<T extends { state: string }>(read: () => Promise<T>): Promise<T> {
  let row = await read()
  await expect
    .poll(
      async () => {
        row = await read()
        return row.state
      },
      { timeout: 100_000, interval: 50 },
    )
    .toMatch(/done|failed|undone/)
  return row
}

export async function exportAccount(site: TestApp, user: TestUser): Promise<TransferFile> {
  const { id } = await site.call(startExport, { query: {} }, user)
  const { state } = await waitUntilFinished(() => site.call(getExport, { params: { id } }, user))
  expect(state).toBe('done')
  return site.call(downloadExport, { params: { id } }, user)
}

/** Creates the user whom `fillAccount` blocks. A user with that name must exist on the importing site, too. */
export async function createBlockedUser({ db }: TestApp, { username }: TestUser): Promise<number> {
  const name = `${username}s-nuisance`
  const [row] = await db<[{ id: number }]>`
    insert into users (username, email) values (${name}, ${`${name}@example.org`}) returning id`
  return row.id
}

/**
 * Fills an account with bookmarks of all kinds in three collections, two of them private; Watch Later; likes, follows of a user,
 * a collection, a channel and a tag, a comment and a reply; a watched video; a blocked user, a muted user and a muted tag.
 */
export async function fillAccount(site: TestApp, alice: TestUser, bob: TestUser): Promise<void> {
  const { db } = site
  const vault = await vaultDestination(site, alice)
  const open = await createDestination(site, alice)
  const hidden = await createDestination(site, alice, 'private')
  await db`
    insert into smart_collections (user_id, name, access, query, is_personal)
    values (${alice.id}, 'Short ones', 'public', '{"scope": "own", "q": "film", "max_duration": 600}', false),
           (${alice.id}, 'Watched in a channel', 'private',
            json_build_object('scope', 'own', 'watched', true, 'channel', ${open.channel_id}::bigint), true)`
  await db`update collections set description = 'Things', created_at = '2021-01-01T00:00:00.123456Z', position = 1
            where id = ${open.collection_id}`
  await db`insert into channels (collection_id, name, description, position)
           values (${open.collection_id}, 'First', 'of all', -1)`

  const plain = await saveFilm(site, alice, 'plain', {
    video: {
      description: 'Description',
      tags: ['one', 'two words'],
      thumbnail_url: 'https://films.example.org/plain.jpg',
      embed_url: 'https://player.example.org/plain',
      duration: 90,
      uploader_name: 'An "uploader" 🎬',
      uploader_url: 'https://films.example.org/@uploader',
      width: 1080,
      height: 1920,
      orientation: 'gay',
    },
    bookmark: {
      title: 'My plain "film" \\ ünicode 🎬',
      description: 'Mine',
      tags: ['three'],
      private_note: 'Only mine',
    },
  })
  await saveFilm(site, alice, 'secret', { bookmark: { channel_id: vault.channel_id, access: 'private' } })
  await saveFilm(site, alice, 'in private', { bookmark: { channel_id: hidden.channel_id } })
  await saveFilm(site, alice, 'in no channel', { bookmark: { collection_id: open.collection_id } })
  await saveFilm(site, alice, 'plain', { bookmark: { channel_id: open.channel_id, title: 'Twice' } })
  await saveFilm(site, alice, 'known', {
    video: { source_url: 'https://www.youtube.com/watch?v=eRsGyueVLvQ', title: 'Sintel' },
  })
  const hiddenVideo = await saveFilm(site, alice, 'under review')
  const trashed = await saveFilm(site, alice, 'in the trash')
  const bobs = await saveFilm(site, bob, 'of bob')
  await db`update videos set status = 'hidden' where id = ${hiddenVideo.video.id}`
  await db`update bookmarks set deleted_at = now() where id = ${trashed.id}`
  await db`update bookmarks set created_at = '2020-02-29T12:00:00.654321Z', start_seconds = 75 where id = ${plain.id}`
  const toTop = { channel: vault.channel_id, after: null }
  await site.call(reorderBookmark, { params: { id: plain.id }, body: toTop }, alice)
  await db`update collections set list_order = 'title' where id = ${open.collection_id}`

  await db`insert into likes (user_id, video_id, created_at)
           values (${alice.id}, ${plain.video.id}, '2022-01-01T00:00:00.5Z'), (${alice.id}, ${bobs.video.id}, now())`
  await db`insert into follows (follower_id, followee_id) values (${alice.id}, ${bob.id})`
  const bobsVault = await vaultDestination(site, bob)
  await db`insert into followed_lists (user_id, collection_id) values (${alice.id}, ${bobsVault.collection_id})`
  await db`insert into followed_lists (user_id, channel_id) values (${alice.id}, ${bobsVault.channel_id})`
  await db`insert into followed_lists (user_id, tag, created_at) values (${alice.id}, 'sea stories', '2023-03-01T00:00:00.5Z')`
  const [comment] = await db`
    insert into comments (video_id, user_id, content) values (${bobs.video.id}, ${alice.id}, 'Good') returning id`
  await db`insert into comments (video_id, user_id, parent_id, content)
           values (${bobs.video.id}, ${alice.id}, ${comment?.id}, 'Very good'),
                  (${bobs.video.id}, ${bob.id}, ${comment?.id}, 'Comment by bob')`
  await db`insert into collections (user_id, name, access, position, is_watch_later)
           values (${alice.id}, 'Tonight', 'private', 7, true)`
  await db`insert into watched_videos (user_id, video_id, watched_at)
           values (${alice.id}, ${bobs.video.id}, '2023-01-01T00:00:00.25Z')`
  await db`insert into playback_positions (user_id, video_id, seconds) values (${alice.id}, ${bobs.video.id}, 754)`
  await db`insert into profile_pins (user_id, position, bookmark_id, collection_id)
           values (${alice.id}, 1, null, ${open.collection_id}), (${alice.id}, 2, ${plain.id}, null)`
  await db`insert into timed_notes (bookmark_id, user_id, seconds, text, access, created_at)
           values (${plain.id}, ${alice.id}, 90, 'The best scene', 'public', '2023-02-01T00:00:00.75Z')`
  await db`insert into blocks (blocker_id, blocked_id) values (${alice.id}, ${await createBlockedUser(site, alice)})`
  await db`insert into mutes (user_id, muted_id) values (${alice.id}, ${bob.id})`
  await db`insert into mutes (user_id, tag) values (${alice.id}, 'loud things')`
  await db`update users set bio = 'About me', notify_by_email = 'weekly', default_bookmark_orientation = 'bi', notify_on_follow = false,
                  default_bookmark_access = 'private', likes_visibility = 'members', followers_visibility = 'only_me',
                  collector_visibility = 'only_me', counts_adult = true,
                  default_bookmark_collection = ${hidden.collection_id} where id = ${alice.id}`
}

/** Uploads an export and starts its import. */
export async function uploadAndStart(site: TestApp, user: TestUser, file: TransferFile): Promise<Import> {
  const { id } = await site.call(uploadImport, { body: file }, user)
  return site.call(startImport, { params: { id }, body: {} }, user)
}

export async function importFile(
  site: TestApp,
  user: TestUser,
  file: TransferFile,
): Promise<Import & ImportResult> {
  const { id } = await uploadAndStart(site, user, file)
  return finishImport(site, user, id)
}

/** Starts an uploaded import, waits until it is finished, and returns its result. */
export async function startAndFinish(site: TestApp, user: TestUser, id: number, options: ImportOptions = {}) {
  await site.call(startImport, { params: { id }, body: options }, user)
  return finishImport(site, user, id)
}

interface ImportResult {
  /** Of the items other than collections, channels and the profile: imported, known, rejected. */
  added: number
  duplicates: number
  failed: number
  /** All items that have a reason in the report. */
  problems: { what: string; why: string }[]
}

async function finishImport(site: TestApp, user: TestUser, id: number): Promise<Import & ImportResult> {
  const result = await waitUntilFinished(() => site.call(getImport, { params: { id } }, user))
  const rows = await readReport(site, user, id)
  const counts = Object.entries(result.outcomes)
  for (const [outcome, count] of counts) {
    expect(rows.filter((row) => row.outcome === outcome)).toHaveLength(count)
  }
  const items = rows.filter(({ kind }) => !['collection', 'channel', 'profile'].includes(kind))
  const count = (...outcomes: string[]) => items.filter(({ outcome }) => outcomes.includes(outcome)).length
  return {
    ...result,
    added: count('new', 'changed', 'held'),
    duplicates: count('known'),
    failed: count('rejected'),
    problems: rows
      .filter(({ reason }) => reason !== '')
      .map(({ url, what, reason }) => ({ what: url || what, why: reason })),
  }
}

/** Returns all items of the report of an import, page by page. */
export async function readReport(
  site: TestApp,
  user: TestUser,
  id: number,
  outcome?: ImportRow['outcome'],
): Promise<ImportRow[]> {
  const rows: ImportRow[] = []
  const filter = outcome === undefined ? {} : { outcome }
  let query: Record<string, string | number> = { page_size: 100 }
  for (;;) {
    const page = await site.call(listImportRows, { params: { id }, query: { ...filter, ...query } }, user)
    rows.push(...page.results)
    if (page.next === null) break
    const { searchParams } = new URL(page.next, 'http://localhost')
    query = {
      page_size: 100,
      page: Number(searchParams.get('page')),
      cursor: searchParams.get('cursor') ?? '',
    }
  }
  return rows
}

/** Returns the rows whose counters or flags are wrong; [] if triggers maintained all of them correctly. */
export async function counterMismatches(site: TestApp): Promise<readonly object[]> {
  return site.db<object[]>`
    select v.id, v.saves_count, v.likes_count, v.lead_bookmark_id
      from videos v
     where saves_count <> (select count(distinct user_id) from bookmarks b where b.video_id = v.id and b.is_public)
        or likes_count <> (select count(*) from likes l where l.video_id = v.id)
        or lead_bookmark_id is distinct from
           (select min(id) from bookmarks b where b.video_id = v.id and b.is_public)
        or exists (select from bookmarks b where b.video_id = v.id
                    and b.is_listed <> (b.is_visible and b.id is not distinct from v.lead_bookmark_id))
    union all
    select u.id, u.following_count, u.followers_count, null from users u
     where following_count <> (select count(*) from follows where follower_id = u.id)
        or followers_count <> (select count(*) from follows where followee_id = u.id)`
}

/**
 * Simulates a process that is killed: a database that fails after a number of statements or transactions. The last
 * transaction does all its work and is then rolled back.
 */
export function failingDatabase(db: Sql, after: { statements?: number; transactions?: number }): Sql {
  const remaining = { statements: Number.POSITIVE_INFINITY, transactions: Number.POSITIVE_INFINITY, ...after }
  const spend = (kind: keyof typeof remaining) => {
    remaining[kind] -= 1
    if (remaining[kind] < 0) throw new Error('killed')
  }
  const begin = (...input: unknown[]) => {
    const work = input.pop() as (tx: unknown) => Promise<unknown>
    return (db.begin as (...input: unknown[]) => Promise<unknown>)(...input, async (tx: unknown) => {
      const result = await work(tx)
      spend('transactions')
      return result
    })
  }
  return new Proxy(db, {
    apply(target, self, input) {
      spend('statements')
      return Reflect.apply(target, self, input)
    },
    get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)),
  })
}

export const sampleTime = '2024-05-06T07:08:09.123456Z'
/** A valid file with one empty collection. */
export const emptyFile: TransferFile = {
  format: 'reelmark',
  version: 1,
  exported_at: sampleTime,
  username: 'example',
  profile: {
    bio: '',
    default_bookmark_orientation: 'sfw',
    default_bookmark_collection: null,
    notify_on_follow: true,
    notify_on_own_video_bookmarked: true,
    notify_on_new_bookmark_from_followed_user: true,
    notify_on_own_video_liked: true,
  },
  collections: [
    {
      name: 'My Vault',
      description: '',
      access: 'public',
      created_at: sampleTime,
      channels: [{ name: 'General', description: '' }],
    },
  ],
  bookmarks: [],
  likes: [],
  following: [],
  comments: [],
}
export const sampleBookmark = (link: string, fields: Partial<TransferFile['bookmarks'][number]> = {}) => ({
  collection: 0,
  channel: 0,
  title: 'A film',
  description: '',
  tags: [],
  access: 'public' as const,
  created_at: sampleTime,
  video: {
    source_url: link,
    title: 'A film',
    description: '',
    tags: [],
    embed_url: null,
    thumbnail_url: null,
    orientation: 'sfw' as const,
    shape: 'unknown' as const,
    duration: null,
    width: null,
    height: null,
  },
  ...fields,
})
