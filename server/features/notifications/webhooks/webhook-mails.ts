/** Mails about webhooks. */
import type { Db } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import type { MailMessage } from '../../../core/mail/mail.ts'
import { type MailContent, renderMail } from '../../../core/mail/mail-layout.ts'
import { countMail } from '../../../core/mail/mail-limit.ts'
import type { ClaimedWebhook } from './delivery-queries.ts'

/**
 * Returns the mail that tells the owner of a webhook that it was turned off, or null without a confirmed address. It names only
 * the host, because the address may contain a secret.
 */
export async function disabledMail(
  db: Db,
  { user_id, url }: ClaimedWebhook,
  publicUrl: string,
): Promise<MailMessage | null> {
  const heading = 'A webhook was turned off'
  return mailTo(db, user_id, publicUrl, heading, {
    heading,
    paragraphs: [
      `We couldn't deliver events to ${new URL(url).host} and stopped trying.`,
      "Turn the webhook on again once its server responds. Events from the meantime aren't sent.",
    ],
    action: { label: 'View webhooks', path: '/settings/webhooks' },
  })
}

/**
 * Returns the mail about a new webhook, which its owner may not have created. Null without a confirmed address, and if the
 * owner got the maximum of these mails within a day.
 */
export async function createdMail(
  db: Db,
  userId: number,
  settings: Pick<Deps['settings'], 'publicUrl' | 'rateLimitScale'>,
): Promise<MailMessage | null> {
  if (!(await countMail(db, { user_id: userId }, 'webhook created', settings))) return null
  const subject = 'Security change to your Reelmark account'
  return mailTo(db, userId, settings.publicUrl, subject, {
    heading: 'Security change to your account',
    paragraphs: [
      'A webhook was created for your account. It tells another site what happens in your account.',
      "If this wasn't you, reset your password (this logs out all devices and turns off all webhooks) and delete the webhook in Settings → Webhooks.",
    ],
    action: { label: "This wasn't me", path: '/forgot-password' },
  })
}

async function mailTo(
  db: Db,
  userId: number,
  publicUrl: string,
  subject: string,
  content: MailContent,
): Promise<MailMessage | null> {
  const [owner] = await db<[{ email: string }?]>`
    select email from users where id = ${userId} and email is not null and email_confirmed_at is not null`
  if (owner === undefined) return null
  return { to: owner.email, subject, ...renderMail(content, publicUrl) }
}
