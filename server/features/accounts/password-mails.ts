/** What people are written about their password. */
import type { MailMessage } from '../../core/mail.ts'
import { layOutMail } from '../../core/mail-layout.ts'

interface Recipient {
  username: string
  email: string
}

/** The mail with the link; `path` is the link's own, on our site. */
export function resetMail({ username, email }: Recipient, path: string, publicUrl: string): MailMessage {
  return {
    to: email,
    subject: 'Reset your Reelmark password',
    ...layOutMail(
      {
        heading: 'Reset your password',
        paragraphs: [
          `Hello ${username},`,
          'somebody, hopefully you, asked to reset the password of your Reelmark account. The link works once, within the next hour.',
        ],
        action: { label: 'Choose a new password', path },
        footnotes: ["If you didn't request this, you can ignore this email. Your password won't change."],
      },
      publicUrl,
    ),
  }
}

/** Tells whoever reads the mail that the password is another one: if it was not them, they can still act. */
export function passwordChangedMail({ username, email }: Recipient, publicUrl: string): MailMessage {
  return {
    to: email,
    subject: 'Your Reelmark password was changed',
    ...layOutMail(
      {
        heading: 'Your password was changed',
        paragraphs: [
          `Hello ${username},`,
          'the password of your Reelmark account was just changed, and your other devices were signed out.',
          'If that was not you, reset it at once: only who reads your mail can do that. Then look through Settings, Security, for an app, a passkey or a linked sign-in that is not yours, and remove it.',
        ],
        action: { label: 'It was not me', path: '/forgot-password' },
      },
      publicUrl,
    ),
  }
}
