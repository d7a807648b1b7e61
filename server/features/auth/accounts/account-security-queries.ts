/** Queries about sign-in methods and reauthentication. */
import type { AccountSecurity } from '@reelmark/contract/account-settings.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db } from '../../../core/database/database.ts'
import { usernameChangeableAt } from './username-queries.ts'

/** Returns the sign-in methods of a user as seen by one of their sessions, or null if the session ended. */
export async function getAccountSecurity(
  db: Db,
  { id, session_id }: { id: number; session_id: number },
): Promise<Omit<AccountSecurity, 'needs_second_factor'> | null> {
  const [security] = await db<AccountSecurity[]>`
    select ${usernameChangeableAt(db)} as username_changeable_at, u.email, u.email_confirmed_at is not null as is_email_confirmed,
           (select c.email from email_confirmations c
             where c.user_id = u.id and c.expires_at > now() and c.email <> u.email) as pending_email,
           u.password_hash is not null as has_password,
           exists (select from authenticators a where a.user_id = u.id and a.confirmed_at is not null)
             as has_authenticator,
           (select count(*) from passkeys p where p.user_id = u.id) as passkeys_count,
           (select count(*) from recovery_codes r where r.user_id = u.id) as recovery_codes_left,
           (select count(*) from identities i where i.user_id = u.id) as identities_count,
           (select count(*) from access_tokens t
             where t.user_id = u.id and (t.expires_at is null or t.expires_at > now())) as access_tokens_count,
           u.sign_in_review_since is not null as review_required,
           case when s.authenticated_at > now() - make_interval(secs => ${limits.reauthenticationSeconds})
             then s.authenticated_at + make_interval(secs => ${limits.reauthenticationSeconds}) end as reauthenticated_until
      from users u join sessions s on s.user_id = u.id
     where u.id = ${id} and s.id = ${session_id}`
  return security ?? null
}

/** Marks a session as reauthenticated. Returns false if it ended or the password changed since it was checked. */
export async function reauthenticateSession(
  db: Db,
  { id, session_id }: { id: number; session_id: number },
  passwordHash: string,
): Promise<boolean> {
  const updated = await db`
    update sessions s set authenticated_at = now() from users u
     where s.id = ${session_id} and s.user_id = ${id} and s.ended_at is null
       and u.id = s.user_id and u.password_hash = ${passwordHash}
    returning s.id`
  return updated.count === 1
}
