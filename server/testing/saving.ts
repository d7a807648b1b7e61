import { type Bookmark, type SaveInput, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import type { TestApp } from './app.ts'
import type { PersonInTest } from './people.ts'

export interface PlaceInTest {
  collection_id: number
  channel_id: number
}

/** Somebody's 'My Vault' and its 'General'. */
export async function vaultOf(site: TestApp, person: PersonInTest): Promise<PlaceInTest> {
  const [place] = await site.db<PlaceInTest[]>`
    select c.id as collection_id, ch.id as channel_id
      from collections c join channels ch on ch.collection_id = c.id
     where c.user_id = ${person.id} order by ch.id limit 1`
  if (place === undefined) throw new Error('a new account has a collection with a channel')
  return place
}

/** Another collection of somebody's, with a channel. */
export async function makePlace(
  site: TestApp,
  person: PersonInTest,
  access: 'public' | 'private' = 'public',
): Promise<PlaceInTest> {
  const [place] = await site.db<PlaceInTest[]>`
    with made as (
      insert into collections (user_id, name, access) values (${person.id}, 'Another', ${access}) returning id)
    insert into channels (collection_id, name) select id, 'A channel' from made
    returning collection_id, id as channel_id`
  if (place === undefined) throw new Error('the place was not made')
  return place
}

/** Saves a film by its number, in somebody's vault unless a place is given. */
export async function save(
  site: TestApp,
  person: PersonInTest,
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
          ...(inVault ? { channel_id: (await vaultOf(site, person)).channel_id } : {}),
          ...bookmark,
        },
      },
    },
    person,
  )
}
