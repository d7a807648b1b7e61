import { type Bookmark, type SaveInput, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import type { TestApp } from './test-app.ts'
import type { TestUser } from './test-users.ts'

export interface TestDestination {
  collection_id: number
  channel_id: number
}

/** Somebody's 'My Vault' and its 'General'. */
export async function vaultDestination(site: TestApp, person: TestUser): Promise<TestDestination> {
  const [destination] = await site.db<TestDestination[]>`
    select c.id as collection_id, ch.id as channel_id
      from collections c join channels ch on ch.collection_id = c.id
     where c.user_id = ${person.id} order by ch.id limit 1`
  if (destination === undefined) throw new Error('a new account has a collection with a channel')
  return destination
}

/** Another collection of somebody's, with a channel. */
export async function createDestination(
  site: TestApp,
  person: TestUser,
  access: 'public' | 'private' = 'public',
): Promise<TestDestination> {
  const [destination] = await site.db<TestDestination[]>`
    with made as (
      insert into collections (user_id, name, access) values (${person.id}, 'Another', ${access}) returning id)
    insert into channels (collection_id, name) select id, 'A channel' from made
    returning collection_id, id as channel_id`
  if (destination === undefined) throw new Error('the place was not made')
  return destination
}

/** Saves a film by its number, in somebody's vault unless a place is given. */
export async function saveFilm(
  site: TestApp,
  person: TestUser,
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
          ...(inVault ? { channel_id: (await vaultDestination(site, person)).channel_id } : {}),
          ...bookmark,
        },
      },
    },
    person,
  )
}
