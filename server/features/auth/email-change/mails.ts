/** Mails about changing the e-mail address of an account. */
import type { MailMessage } from '../../../core/mail/mail.ts'
import { renderMail } from '../../../core/mail/mail-layout.ts'

interface Recipient {
  username: string
  email: string
}

/** Creates the mail with the link, sent to the new address. `path` is the path of the link on this site. */
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

/** Creates the mail to an address that another account has. It does not reveal who requested the change. */
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

/** Creates the mail to the old address, whose owner may not have made the change. */
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
