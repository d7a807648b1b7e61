import type { MailMessage } from '../../core/mail/mail.ts'
import { renderMail } from '../../core/mail/mail-layout.ts'
import type { DigestRecipient } from './digest-queries.ts'

/**
 * Creates the mail about a user's unread notifications, with the headers for one-click unsubscribing (RFC 8058). It
 * contains their number only: titles, comments and usernames are texts of other users, and lock screens show the first
 * lines of mails.
 */
export function digestMail(
  { email, rhythm }: DigestRecipient,
  count: number,
  unsubscribePath: string,
  publicUrl: string,
): MailMessage {
  const summary = count === 1 ? 'You have a new notification' : `You have ${count} new notifications`
  return {
    to: email,
    subject: summary,
    headers: {
      'List-Unsubscribe': `<${publicUrl}${unsubscribePath}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    ...renderMail(
      {
        heading: 'While you were away',
        paragraphs: [`${summary} on Reelmark.`],
        action: { label: 'View notifications', path: '/notifications' },
        footnotes: [
          `You're receiving this ${rhythm} digest because you turned it on in Settings.`,
          `Unsubscribe: ${publicUrl}${unsubscribePath}`,
        ],
      },
      publicUrl,
    ),
  }
}
