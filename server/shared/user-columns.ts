/** Columns of users, for queries of all features. */
import { type PrivacySettings, privacyFields } from '@reelmark/contract/privacy-settings.ts'
import { settingFlags } from '@reelmark/contract/profiles.ts'
import type { Db, Fragment } from '../core/database/database.ts'

/**
 * Returns the URL of a user's avatar; by default /media/default.jpg.
 * @param alias the alias of `users` in the statement
 */
export function avatarUrl(sql: Db, alias: string) {
  return sql`coalesce('/media/' || ${sql(`${alias}.avatar_key`)}, '/media/default.jpg')`
}

/** Returns a user as JSON: `select b.id, ${userSummary(sql, 'u')} as user from bookmarks b join users u on …`. */
export function userSummary(sql: Db, alias: string) {
  return sql`json_build_object(
    'id', ${sql(`${alias}.id`)}, 'username', ${sql(`${alias}.username`)},
    'avatar_url', ${avatarUrl(sql, alias)}, 'is_verified', ${sql(`${alias}.is_verified`)})`
}

export const privacyNames = Object.keys(privacyFields) as (keyof PrivacySettings)[]

/** The columns of the privacy settings. */
export function privacyColumns(db: Db): Fragment {
  return db.unsafe(privacyNames.join(', ')) as Fragment
}

/** The columns of the settings that are on or off. */
export function settingFlagColumns(db: Db): Fragment {
  return db.unsafe(settingFlags.join(', ')) as Fragment
}
