/** What people are written when the way they sign in was changed: if it was not them, they can still act. */
import type { MailMessage } from '../../../core/mail/mail.ts'
import { renderMail } from '../../../core/mail/mail-layout.ts'

/** The sentence about each change, without its full stop. */
export const securityChanges = {
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

/** `what` is added to the sentence where it tells more: the name of a passkey, of a token. */
export function securityMail(
  { username, email }: { username: string; email: string },
  change: SecurityChange,
  what: string | null,
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
          `${securityChanges[change]}${what === null ? '' : ` (${what})`}.`,
          "If this wasn't you, reset your password (this logs out all devices) and review Settings → Security.",
        ],
        action: { label: "This wasn't me", path: '/forgot-password' },
      },
      publicUrl,
    ),
  }
}
