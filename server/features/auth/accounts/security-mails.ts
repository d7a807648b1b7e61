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
