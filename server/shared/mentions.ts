import type { Viewer } from '../core/auth/session.ts'
import type { Db, Fragment } from '../core/database/database.ts'
import { isProfileForEveryone } from './profile-visibility.ts'
import { andNotHidden } from './user-visibility.ts'

/**
 * Selects the names, as an array, by which a text mentions users as `@name` whom the viewer may see. They may be former ones. A profile for
 * members is not named to members either, because they get the texts that were read for visitors.
 */
export function mentionedUsernames(
  db: Db,
  text: Fragment,
  writtenAt: Fragment,
  viewer: Viewer | null,
): Fragment {
  return db`case when position('@' in ${text}) = 0 then '{}'::text[] else array(
    select m.username from mentioned_users(${text}, ${writtenAt}) m join users mentioned on mentioned.id = m.user_id
     where ${isProfileForEveryone(db, 'mentioned')} ${andNotHidden(db, db`mentioned.id`, viewer)}) end`
}
