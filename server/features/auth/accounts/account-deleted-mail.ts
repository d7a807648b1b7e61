import type { MailMessage } from '../../../core/mail/mail.ts'
import { renderMail } from '../../../core/mail/mail-layout.ts'

/** Creates the mail that confirms the deletion of an account. */
export function accountDeletedMail(
  { username, email }: { username: string; email: string },
  publicUrl: string,
): MailMessage {
  return {
    to: email,
    subject: 'Your Reelmark account was deleted',
    ...renderMail(
      {
        heading: 'Your account was deleted',
        paragraphs: [
          `Hello ${username},`,
          'Your Reelmark account was deleted, including your profile, collections, bookmarks, likes and follows. Your comments stay, without your name.',
          "This can't be undone. If this wasn't you, contact us.",
        ],
        action: { label: 'Contact us', path: '/contact' },
        footnotes: ['Your username and email can now be used for a new account.'],
      },
      publicUrl,
    ),
  }
}
