/** What people are written when the e-mail address of an account is to change. */
import type { MailMessage } from '../../../core/mail/mail.ts'
import { renderMail } from '../../../core/mail/mail-layout.ts'

interface Recipient {
  username: string
  email: string
}

/** The mail with the link, to the new address; `path` is the link's own, on our site. */
export function confirmEmailMail(
  { username, email }: Recipient,
  path: string,
  publicUrl: string,
): MailMessage {
  return {
    to: email,
    subject: 'Confirm your email address for Reelmark',
    ...renderMail(
      {
        heading: 'Confirm your email address',
        paragraphs: [
          `Hello ${username},`,
          'We received a request to use this email address for your Reelmark account. Confirm it within 24 hours. The link works once.',
        ],
        action: { label: 'Confirm email', path },
        footnotes: ["If you didn't request this, you can ignore this email."],
      },
      publicUrl,
    ),
  }
}

/** To an address that has an account already. Who asked is told nothing; nor is this address told who asked. */
export function emailTakenMail({ username, email }: Recipient, publicUrl: string): MailMessage {
  return {
    to: email,
    subject: 'This email address already has a Reelmark account',
    ...renderMail(
      {
        heading: 'This email address already has an account',
        paragraphs: [
          `Hello ${username},`,
          `We received a request to use this email address for another Reelmark account. It already belongs to your account, ${username}, so nothing was changed.`,
          'If this was you, change the email address of this account first, or use a different address for the other account.',
        ],
        footnotes: ["If you didn't request this, you can ignore this email."],
      },
      publicUrl,
    ),
  }
}

/** To the old address: whoever reads it may not be who changed it. */
export function emailChangedMail({ username, email }: Recipient, publicUrl: string): MailMessage {
  return {
    to: email,
    subject: 'The email address of your Reelmark account was changed',
    ...renderMail(
      {
        heading: 'Your email address was changed',
        paragraphs: [
          `Hello ${username},`,
          'The email address of your Reelmark account was changed. All emails about your account, including password reset links, now go to the new address.',
          "If this wasn't you, contact us immediately from this address.",
        ],
        action: { label: "This wasn't me", path: '/contact' },
      },
      publicUrl,
    ),
  }
}
