/** Loads the sample content of a new site (docs/operating.md, Settings: SAMPLE_CONTENT). */
import type { Db, Sql } from '../core/database/database.ts'
import { createUser } from '../features/auth/accounts/queries.ts'
import { insertBookmark } from '../features/bookmarks/save/queries.ts'
import { upsertVideo } from '../features/bookmarks/save/upsert-videos.ts'
import { buildSave } from '../features/bookmarks/save/rules.ts'
import { type FilmName, sampleFilms } from './sample-films.ts'
import { type SampleCollection, type SampleUser, sampleUsers } from './sample-users.ts'

/** Key of an advisory lock, so that of several processes that start together only one loads. */
const loadingLock = 7_305_111_918

/**
 * Fills a database without users, in one transaction; any other database is left unchanged. The users have no way to
 * sign in: no password, and an address to which no mail can be sent.
 * @returns whether it was loaded
 */
export async function loadSampleContent(sql: Sql): Promise<boolean> {
  return sql.begin(async (db) => {
    // Another process may be loading, which can take longer than the normal statement timeout.
    await db`set local statement_timeout = 0`
    await db`select pg_advisory_xact_lock(${loadingLock})`
    const [inUse] = await db`select from users limit 1`
    if (inUse !== undefined) return false

    const ids = new Map<string, number>()
    for (const { username } of sampleUsers) ids.set(username, await addUser(db, username))
    const videos = await addBookmarks(db, ids)
    for (const sampleUser of sampleUsers) await addActivity(db, sampleUser, ids, videos)
    return true
  })
}

async function addUser(db: Db, username: string): Promise<number> {
  const user = await createUser(db, { username, email: `${username}@sample.invalid`, password_hash: null })
  if (user === null) throw new Error(`the username ${username} already exists`)
  return user.id
}

/** Saves the bookmarks of all users in mixed order, dated over the last weeks. */
async function addBookmarks(db: Db, ids: ReadonlyMap<string, number>): Promise<Map<FilmName, number>> {
  const videos = new Map<FilmName, number>()
  const destinations: {
    userId: number
    collection: SampleCollection
    collectionId: number
    channelId: number
    name: FilmName
  }[] = []
  for (const { username, collections } of sampleUsers) {
    const userId = requireId(ids, username)
    for (const [position, collection] of collections.entries()) {
      const collectionId = await addCollection(db, userId, collection, position + 1)
      for (const [order, [channel, names]] of Object.entries(collection.channels).entries()) {
        const channelId = await addChannel(db, collectionId, channel, order)
        for (const name of names) destinations.push({ userId, collection, collectionId, channelId, name })
      }
    }
  }
  destinations.sort((a, b) => shuffle(a.name, a.userId) - shuffle(b.name, b.userId))

  for (const [index, { userId, collection, collectionId, channelId, name }] of destinations.entries()) {
    const { url, title, duration, tags, description } = sampleFilms[name]
    const planned = buildSave(
      {
        video: { source_url: url, title, description, duration, tags, shape: 'landscape' },
        bookmark: {},
      },
      [],
      'public',
    )
    const access = collection.access ?? 'public'
    // As if the server had extracted them.
    const video = await upsertVideo(db, planned.video, {
      isPublic: access === 'public',
      extracted: planned.video.sent,
    })
    videos.set(name, video.id)
    const destination = { collection_id: collectionId, channel_id: channelId, access }
    const id = await insertBookmark(db, userId, video.id, destination, { ...planned.bookmark, ...video.own })
    const hours = (destinations.length - index) * 11 + 1
    await db`
      update bookmarks set created_at = now() - ${hours}::int * interval '61 minutes',
                           updated_at = now() - ${hours}::int * interval '61 minutes' where id = ${id}`
  }
  // As old as those that the job retry-pending-thumbnails fetches when the site starts.
  for (const table of ['videos', 'bookmarks'])
    await db`update ${db(table)} set updated_at = now() - interval '1 hour' where thumbnail_state = 'pending'`
  return videos
}

/** Returns a sort key that gives a fixed, random-looking order. */
function shuffle(name: string, salt: number): number {
  let hash = salt * 2_654_435
  for (const letter of name) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0
  return Math.imul(hash, 2_246_822_519) >>> 0
}

async function addCollection(
  db: Db,
  userId: number,
  { name, description, access = 'public' }: SampleCollection,
  position: number,
): Promise<number> {
  const row = { user_id: userId, name, description, access, position }
  const [created] = await db<[{ id: number }]>`insert into collections ${db(row)} returning id`
  return created.id
}

async function addChannel(db: Db, collectionId: number, name: string, position: number): Promise<number> {
  const row = { collection_id: collectionId, name, position }
  const [made] = await db<[{ id: number }]>`insert into channels ${db(row)} returning id`
  return made.id
}

/** Adds a user's bio, likes, follows and comments. */
async function addActivity(
  db: Db,
  { username, bio, is_verified = false, likes, follows, comments }: SampleUser,
  ids: ReadonlyMap<string, number>,
  videos: ReadonlyMap<FilmName, number>,
): Promise<void> {
  const userId = requireId(ids, username)
  await db`update users set bio = ${bio}, is_verified = ${is_verified} where id = ${userId}`
  await db`
    insert into likes (user_id, video_id, created_at)
    select ${userId}, video_id, now() - place * interval '31 hours'
      from unnest(${likes.map((name) => requireId(videos, name))}::bigint[]) with ordinality as liked (video_id, place)`
  await db`
    insert into follows (follower_id, followee_id)
    select ${userId}, unnest(${follows.map((name) => requireId(ids, name))}::bigint[])`
  for (const [name, content] of comments) {
    await db`insert into comments ${db({ video_id: requireId(videos, name), user_id: userId, content })}`
  }
}

function requireId<Name>(ids: ReadonlyMap<Name, number>, name: Name): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`the sample content refers to ${String(name)}, which does not exist`)
  return id
}
