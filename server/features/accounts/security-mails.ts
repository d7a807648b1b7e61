/** What people are written when the way they sign in was changed: if it was not them, they can still act. */
import type { MailMessage } from '../../core/mail.ts'
import { layOutMail } from '../../core/mail-layout.ts'

/** What can change, as the sentence 'Somebody, hopefully you, …' says it. */
export const securityChanges = {
  'authenticator added': 'set up an authenticator app',
  'authenticator removed': 'removed the authenticator app',
  'recovery codes renewed': 'made new recovery codes; the old ones do not work any more',
  'recovery code used': 'used a recovery code to log in; it does not work again',
  'second step failing': 'entered your password, but failed the second step again and again',
  'passkey added': 'added a passkey',
  'passkey removed': 'removed a passkey',
  'identity added': 'linked a sign-in of another site',
  'identity removed': 'unlinked a sign-in of another site',
  'access token created': 'created an access token',
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
    subject: 'Your Reelmark account: a change in how you sign in',
    ...layOutMail(
      {
        heading: 'A change in how you sign in',
        paragraphs: [
          `Hello ${username},`,
          `somebody, hopefully you, ${securityChanges[change]}${what === null ? '' : ` (${what})`}.`,
          "If this wasn't you, reset your password (this logs out all devices) and review Settings → Security.",
        ],
        action: { label: 'It was not me', path: '/forgot-password' },
      },
      publicUrl,
    ),
  }
}
