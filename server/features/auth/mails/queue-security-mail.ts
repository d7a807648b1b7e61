/** Queues mails about accounts. Their texts are in mail-texts.ts. */
import type { Db } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { renderMail } from '../../../core/mail/mail-layout.ts'
import { countMail } from '../../../core/mail/mail-limit.ts'
import { queueMail } from '../../../core/mail/mail-queue.ts'
import { type SecurityMailKind, type SecurityMailText, securityMailTexts } from './mail-texts.ts'

/**
 * Queues a mail in the caller's transaction, unless its recipient got the maximum of this kind within a day.
 * @param createPath creates the link of a mail that contains a token. It runs only if the mail is queued, so that links
 * in earlier mails stay valid otherwise
 * @returns whether the mail was queued
 */
export async function queueSecurityMail(
  tx: Db,
  deps: Pick<Deps, 'jobs' | 'serverKeys' | 'settings'>,
  kind: SecurityMailKind,
  { to, createPath }: { to: string; createPath?: () => Promise<string> },
): Promise<boolean> {
  const { settings } = deps
  if (!(await countMail(tx, { address: to }, kind, settings))) return false
  const { subject, action, usefulFor, ...content }: SecurityMailText = securityMailTexts[kind]
  const path = createPath === undefined ? action?.path : await createPath()
  const body = {
    ...content,
    ...(action !== undefined && path !== undefined && { action: { label: action.label, path } }),
  }
  const message = { to, subject, ...renderMail(body, settings.publicUrl) }
  await queueMail(tx, deps, message, usefulFor === undefined ? {} : { usefulFor })
  return true
}
