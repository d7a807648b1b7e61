/** Mails about changes to sign-in methods, so that the owner can react to changes they did not make. */
import type { MailMessage } from '../../../core/mail/mail.ts'
import { renderMail } from '../../../core/mail/mail-layout.ts'

/** The sentence about each change, without a full stop. */
const securityChanges = {
  'authenticator added': 'An authenticator app was set up for your account',
  'authenticator removed': 'The authenticator app was removed from your account',
  'recovery codes renewed': 'New recovery codes were generated, and the old ones stopped working',
  'recovery code used': 'A recovery code was used to log in',
  'second step failing': 'Your password was entered correctly, but two-step verification failed repeatedly',
  'passkey added': 'A passkey was added to your account',
  'passkey removed': 'A passkey was removed from your account',
  'identity added': 'An account on another site was linked to your account',
  'identity removed': 'An account on another site was unlinked from your account',
  'access token created': 'An access token was created for your account',
} as const

export type SecurityChange = keyof typeof securityChanges

/** Creates the mail about a change. `itemName` is added in parentheses: the name of the passkey or token. */
export function securityMail(
  { username, email }: { username: string; email: string },
  change: SecurityChange,
  itemName: string | null,
  publicUrl: string,
): MailMessage {
  return {
    to: email,
    subject: 'Security change to your Reelmark account',
    ...renderMail(
      {
        heading: 'Security change to your account',
        paragraphs: [
          `Hello ${username},`,
          `${securityChanges[change]}${itemName === null ? '' : ` (${itemName})`}.`,
          "If this wasn't you, reset your password (this logs out all devices) and review Settings → Security.",
        ],
        action: { label: "This wasn't me", path: '/forgot-password' },
      },
      publicUrl,
    ),
  }
}

/** Creates the mail about many wrong passwords. It contains nothing that was entered. */
export function failedLoginsMail(
  { username, email }: { username: string; email: string },
  publicUrl: string,
): MailMessage {
  return {
    to: email,
    subject: 'Many failed logins to your Reelmark account',
    ...renderMail(
      {
        heading: 'Many failed logins',
        paragraphs: [
          `Hello ${username},`,
          'Many logins to your account failed because the password was wrong. Devices on which you logged in before work as usual. Logging in on a new device takes a few seconds longer until this stops.',
          "You don't need to do anything if your password is long and you use it only here. Two-step verification in Settings → Security protects your account even if your password is guessed.",
        ],
        action: { label: 'Reset your password', path: '/forgot-password' },
      },
      publicUrl,
    ),
  }
}
