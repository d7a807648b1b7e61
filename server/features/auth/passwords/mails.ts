/** Mails about passwords. */
import type { MailMessage } from '../../../core/mail/mail.ts'
import { renderMail } from '../../../core/mail/mail-layout.ts'

interface Recipient {
  username: string
  email: string
}

/** Creates the mail with the reset link. `path` is the path of the link on this site. */
export function passwordResetMail(
  { username, email }: Recipient,
  path: string,
  publicUrl: string,
): MailMessage {
  return {
    to: email,
    subject: 'Reset your Reelmark password',
    ...renderMail(
      {
        heading: 'Reset your password',
        paragraphs: [
          `Hello ${username},`,
          'We received a request to reset the password of your Reelmark account. The link expires in one hour and can be used once.',
        ],
        action: { label: 'Choose a new password', path },
        footnotes: ["If you didn't request this, you can ignore this email. Your password won't change."],
      },
      publicUrl,
    ),
  }
}

/** Creates the mail that informs the owner of a changed password, who may not have changed it. */
export function passwordChangedMail({ username, email }: Recipient, publicUrl: string): MailMessage {
  return {
    to: email,
    subject: 'Your Reelmark password was changed',
    ...renderMail(
      {
        heading: 'Your password was changed',
        paragraphs: [
          `Hello ${username},`,
          'The password of your Reelmark account was changed, and your other devices were logged out.',
          "If this wasn't you, reset your password immediately. Then go to Settings → Security and remove any app, passkey or linked account that isn't yours.",
        ],
        action: { label: "This wasn't me", path: '/forgot-password' },
      },
      publicUrl,
    ),
  }
}
