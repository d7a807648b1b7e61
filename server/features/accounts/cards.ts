/** What other ways to sign in need of accounts. */
import type { Deps } from '../../app.ts'
import type { Db } from '../../core/database.ts'
import { queueMail } from '../../core/mail-queue.ts'
import { type SecurityChange, securityMail } from './security-mails.ts'

/** Tells an account's owner by mail, in the caller's transaction, that the way they sign in was changed. */
export async function tellOfChange(
  tx: Db,
  { jobs, settings }: Pick<Deps, 'jobs' | 'settings'>,
  userId: number,
  change: SecurityChange,
  what: string | null = null,
): Promise<void> {
  const [owner] = await tx<{ username: string; email: string }[]>`
    select username, email from users where id = ${userId}`
  if (owner !== undefined) await queueMail(tx, jobs, securityMail(owner, change, what, settings.publicUrl))
}
