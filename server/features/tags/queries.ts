import type { Db } from '../../core/database.ts'

export interface CountedTag {
  id: number
  name: string
  uses_count: number
}

/** Tags in public use that start with `prefix`, the most used first. Tags of private bookmarks alone are not told. */
export async function listTags(
  db: Db,
  { prefix, skip, size }: { prefix: string; skip: number; size: number },
): Promise<{ count: number; results: CountedTag[] }> {
  const start = prefix.toLowerCase().replace(/[\\%_]/g, '\\$&')
  const begins = start === '' ? db`true` : db`name like ${`${start}%`}`
  const rows = await db<(CountedTag & { count: number })[]>`
    select (select count(*) from (
              select from tags where uses_count > 0 and ${begins} limit 10000) counted) as count, t.*
      from (select 1) always
      left join (select id, name, uses_count from tags where uses_count > 0 and ${begins}
                  order by uses_count desc, name limit ${size} offset ${skip}) t on true
     order by t.uses_count desc, t.name`
  return { count: rows[0]?.count ?? 0, results: rows.filter((row) => row.id !== null) }
}
