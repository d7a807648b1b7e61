/**
 * The addresses in sitemaps: public bookmarks, profiles and collections that are not adult content, of users whose profile
 * everyone may see. Each file covers a range of ids, so that it stays the same when others are added, and costs the same
 * however many there are.
 */
import { type Db, type Fragment, inlineNumber } from '../../../core/database/database.ts'
import { isProfileForEveryone } from '../../../shared/profile-visibility.ts'
import { isListed, isPublicCollection, isVisible } from '../../../shared/visibility.ts'

/** The ids that one file covers. Fewer than the 50,000 addresses that a file may have, because a file is read at once. */
export const idsPerFile = 10_000
/** Files that an index may name (sitemaps.org). */
const maxFiles = 50_000

export interface SitemapEntry {
  path: string
  updated_at: Date | null
}

/** Selects `id`, `path` and `updated_at` of what is listed, with an additional condition on ids. */
type SitemapSource = (db: Db, ids: (id: Fragment) => Fragment) => Fragment

/** What the sitemap lists, by the name in the addresses of its files. */
const sitemapSources = {
  bookmarks: (db, ids) => db`
    select b.id, '/bookmarks/' || b.id as path, b.updated_at
      from bookmarks b join users u on u.id = b.user_id
     where ${ids(db`b.id`)} and ${isListed(db)} and b.effective_orientation = 'sfw'
       and u.banned_at is null and ${isProfileForEveryone(db)}`,
  collections: (db, ids) => db`
    select c.id, '/collections/' || c.id as path, null::timestamptz as updated_at
      from collections c join users u on u.id = c.user_id
     where ${ids(db`c.id`)} and ${isPublicCollection(db)} and u.banned_at is null and ${isProfileForEveryone(db)}
       and exists (select from bookmarks b
                    where b.collection_id = c.id and ${isVisible(db)} and b.effective_orientation = 'sfw')`,
  users: (db, ids) => db`
    select u.id, '/users/' || u.username as path, null::timestamptz as updated_at
      from users u
     where ${ids(db`u.id`)} and u.banned_at is null and ${isProfileForEveryone(db)}
       and exists (select from bookmarks b
                    where b.user_id = u.id and ${isVisible(db)} and b.effective_orientation = 'sfw')`,
} as const satisfies Record<string, SitemapSource>

export type SitemapKind = keyof typeof sitemapSources
export const sitemapKinds = Object.keys(sitemapSources) as SitemapKind[]

/** Returns the numbers of the files that are not empty, by jumping from the first id of each range to the next. */
export async function listSitemapFiles(db: Db, kind: SitemapKind): Promise<number[]> {
  const select = sitemapSources[kind]
  const size = inlineNumber(db, idsPerFile)
  const rows = await db<{ file: number }[]>`
    with recursive files as (
      (select id / ${size} as file from (${select(db, (id) => db`${id} >= 0`)}) listed order by id limit 1)
      union all
      select next.file from files
       cross join lateral (
         select id / ${size} as file
           from (${select(db, (id) => db`${id} >= (files.file + 1) * ${size}`)}) listed order by id limit 1) next)
    select file from files limit ${inlineNumber(db, maxFiles)}`
  return rows.map(({ file }) => file)
}

/** Returns the entries of a file. */
export async function readSitemapFile(db: Db, kind: SitemapKind, file: number): Promise<SitemapEntry[]> {
  const first = db`${file}::bigint * ${inlineNumber(db, idsPerFile)}`
  const select = sitemapSources[kind]
  return db<SitemapEntry[]>`
    ${select(db, (id) => db`${id} >= ${first} and ${id} < ${first} + ${inlineNumber(db, idsPerFile)}`)} order by id`
}
