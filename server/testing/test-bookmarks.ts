import { type Bookmark, type SaveInput, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import type { TestApp } from './test-app.ts'
import type { TestUser } from './test-users.ts'

export interface TestDestination {
  collection_id: number
  channel_id: number
}

/** Returns the default collection 'My Vault' of a user and its channel 'General'. */
export async function vaultDestination(site: TestApp, user: TestUser): Promise<TestDestination> {
  const [destination] = await site.db<TestDestination[]>`
    select c.id as collection_id, ch.id as channel_id
      from collections c join channels ch on ch.collection_id = c.id
     where c.user_id = ${user.id} order by ch.id limit 1`
  if (destination === undefined) throw new Error('the user has no collection with a channel')
  return destination
}

/** Creates another collection with a channel for a user. */
export async function createDestination(
  site: TestApp,
  user: TestUser,
  access: 'public' | 'private' = 'public',
): Promise<TestDestination> {
  const [destination] = await site.db<TestDestination[]>`
    with created as (
      insert into collections (user_id, name, access) values (${user.id}, 'Another', ${access}) returning id)
    insert into channels (collection_id, name) select id, 'A channel' from created
    returning collection_id, id as channel_id`
  if (destination === undefined) throw new Error('no collection was created')
  return destination
}

/** Saves a numbered film, in the user's default channel unless `bookmark` names a destination. */
export async function saveFilm(
  site: TestApp,
  user: TestUser,
  film: number | string,
  {
    video = {},
    bookmark = {},
  }: { video?: Partial<SaveInput['video']>; bookmark?: SaveInput['bookmark'] } = {},
): Promise<Bookmark> {
  const inVault = bookmark.channel_id === undefined && bookmark.collection_id === undefined
  return site.call(
    saveBookmark,
    {
      body: {
        video: { source_url: `https://films.example.org/watch/${film}`, title: `Film ${film}`, ...video },
        bookmark: {
          ...(inVault ? { channel_id: (await vaultDestination(site, user)).channel_id } : {}),
          ...bookmark,
        },
      },
    },
    user,
  )
}

/** Inserts bookmarks of new videos directly into the database. */
export async function insertBookmarks(
  site: TestApp,
  user: TestUser,
  collectionId: number,
  count: number,
): Promise<void> {
  await site.db`
    with created as (
      insert into videos (canonical_url, source_url, host)
      select ${`https://many.example.org/${collectionId}/`} || n, 'https://many.example.org/', 'many.example.org'
        from generate_series(1, ${count}::int) n returning id)
    insert into bookmarks (user_id, video_id, collection_id, title, tags)
    select ${user.id}, id, ${collectionId}, 'Many', array['a', 'b'] from created`
}

/** Returns where a bookmark is saved, its access and whether it is in the trash. */
export async function readDestination(site: TestApp, bookmarkId: number) {
  const [row] = await site.db`
    select collection_id, channel_id, access, deleted_at is not null as is_trashed
      from bookmarks where id = ${bookmarkId}`
  return row
}
