/** How other features show people: fragments of a select. */
import type { Db } from '../core/database/database.ts'

/**
 * Returns the URL of a user's avatar; by default /media/default.jpg.
 * @param alias what `users` is called in the statement: a word of ours, never anything that came in.
 */
export function avatarUrl(sql: Db, alias: string) {
  return sql`coalesce('/media/' || ${sql(`${alias}.avatar_key`)}, '/media/default.jpg')`
}

/** A Person as JSON: `select b.id, ${person(sql, 'u')} as user from bookmarks b join users u on u.id = b.user_id`. */
export function userSummary(sql: Db, alias: string) {
  return sql`json_build_object(
    'id', ${sql(`${alias}.id`)}, 'username', ${sql(`${alias}.username`)},
    'avatar_url', ${avatarUrl(sql, alias)}, 'is_verified', ${sql(`${alias}.is_verified`)})`
}
