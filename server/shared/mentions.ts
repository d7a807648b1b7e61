import type { Viewer } from '../core/auth/session.ts'
import type { Db, Fragment } from '../core/database/database.ts'
import { isProfileForEveryone } from './profile-visibility.ts'
import { andNotHidden } from './user-visibility.ts'

/**
 * Selects the usernames, as an array, of the users whom a text mentions as `@name` and whom the viewer may see. A profile for
 * members is not named to members either, because they get the texts that were read for visitors.
 */
export function mentionedUsernames(
  db: Db,
  text: Fragment,
  writtenAt: Fragment,
  viewer: Viewer | null,
): Fragment {
  return db`case when position('@' in ${text}) = 0 then '{}'::text[] else array(
    select mentioned.username from mentioned_users(${text}, ${writtenAt}) m join users mentioned on mentioned.id = m.user_id
     where ${isProfileForEveryone(db, 'mentioned')} ${andNotHidden(db, db`mentioned.id`, viewer)}) end`
}
