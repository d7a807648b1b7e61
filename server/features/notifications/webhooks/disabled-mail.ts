import type { Db } from '../../../core/database/database.ts'
import type { MailMessage } from '../../../core/mail/mail.ts'
import { renderMail } from '../../../core/mail/mail-layout.ts'
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
  const [owner] = await db<[{ email: string }?]>`
    select email from users where id = ${user_id} and email is not null and email_confirmed_at is not null`
  if (owner === undefined) return null
  const subject = 'A webhook was turned off'
  return {
    to: owner.email,
    subject,
    ...renderMail(
      {
        heading: subject,
        paragraphs: [
          `We couldn't deliver events to ${new URL(url).host} and stopped trying.`,
          "Turn the webhook on again once its server responds. Events from the meantime aren't sent.",
        ],
        action: { label: 'View webhooks', path: '/settings/webhooks' },
      },
      publicUrl,
    ),
  }
}
