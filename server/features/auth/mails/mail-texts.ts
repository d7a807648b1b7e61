/**
 * The texts of all mails about accounts. They are fixed and contain nothing that a user entered: no username, no device,
 * no name of a passkey. Otherwise the site could be used to send any text to any address.
 */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { MailContent } from '../../../core/mail/mail-layout.ts'

export interface SecurityMailText extends Omit<MailContent, 'action'> {
  subject: string
  /** `path` is missing if it contains a token. */
  action?: { label: string; path?: string }
  /** Seconds after which the mail is dropped if it could not be sent. Default: a day. */
  usefulFor?: number
}

const ignoreIfUnexpected = "If you didn't request this, you can ignore this email."

/** Returns the mail about a change that the owner of the account may not have made. */
function securityChange(sentence: string): SecurityMailText {
  return {
    subject: 'Security change to your Reelmark account',
    heading: 'Security change to your account',
    paragraphs: [
      sentence,
      "If this wasn't you, reset your password (this logs out all devices) and review Settings → Security.",
    ],
    action: { label: "This wasn't me", path: '/forgot-password' },
  }
}

export const securityMailTexts = {
  'confirm email': {
    subject: 'Confirm your email address for Reelmark',
    heading: 'Confirm your email address',
    paragraphs: [
      'We received a request to use this email address for a Reelmark account. Confirm it within 24 hours. The link works once.',
    ],
    action: { label: 'Confirm email' },
    footnotes: [ignoreIfUnexpected],
    usefulFor: limits.emailConfirmationSeconds,
  },
  'email taken': {
    subject: 'This email address already has a Reelmark account',
    heading: 'This email address already has an account',
    paragraphs: [
      'We received a request to use this email address for another Reelmark account. It already belongs to your account, so nothing was changed.',
      'If this was you, log in to the account you have. If you forgot the password, you can reset it.',
    ],
    action: { label: 'Log in', path: '/login' },
    footnotes: [ignoreIfUnexpected],
  },
  'email changed': {
    subject: 'The email address of your Reelmark account was changed',
    heading: 'Your email address was changed',
    paragraphs: [
      'The email address of your Reelmark account was changed. All emails about your account, including password reset links, now go to the new address.',
      "If this wasn't you, contact us immediately from this address.",
    ],
    action: { label: "This wasn't me", path: '/contact' },
  },
  'reset password': {
    subject: 'Reset your Reelmark password',
    heading: 'Reset your password',
    paragraphs: [
      'We received a request to reset the password of your Reelmark account. The link expires in one hour and can be used once.',
    ],
    action: { label: 'Choose a new password' },
    footnotes: ["If you didn't request this, you can ignore this email. Your password won't change."],
    usefulFor: limits.passwordResetSeconds,
  },
  'password reset': {
    subject: 'Your Reelmark password was reset',
    heading: 'Your password was reset',
    paragraphs: [
      'The password of your Reelmark account was reset through a link in an email to this address. All devices were logged out, all access tokens were revoked, and your webhooks were turned off.',
      'If your account has passkeys, an authenticator app or linked accounts, log in and decide in Settings → Security which of them to keep.',
      "If this wasn't you, someone else can read your emails. Change the password of your mailbox, then reset your Reelmark password again.",
    ],
    action: { label: 'Review sign-in methods', path: '/settings/security' },
  },
  'password changed': {
    subject: 'Your Reelmark password was changed',
    heading: 'Your password was changed',
    paragraphs: [
      'The password of your Reelmark account was changed. Your other devices were logged out, all access tokens were revoked, and your webhooks were turned off.',
      "If this wasn't you, reset your password immediately. Then go to Settings → Security and remove any app, passkey or linked account that isn't yours.",
    ],
    action: { label: "This wasn't me", path: '/forgot-password' },
  },
  'username changed': {
    subject: 'The username of your Reelmark account was changed',
    heading: 'Your username was changed',
    paragraphs: [
      'The username of your Reelmark account was changed. Log in with the new username or with your email address. The former username no longer works for logging in; links to it lead to your profile.',
      "If this wasn't you, reset your password (this logs out all devices) and review Settings → Security.",
    ],
    action: { label: "This wasn't me", path: '/forgot-password' },
  },
  'account deleted': {
    subject: 'Your Reelmark account was deleted',
    heading: 'Your account was deleted',
    paragraphs: [
      'Your Reelmark account was deleted, including your profile, collections, bookmarks, likes and follows. Your comments stay, without your name.',
      "This can't be undone. If this wasn't you, contact us.",
    ],
    action: { label: 'Contact us', path: '/contact' },
    footnotes: ['Your usernames and email can now be used for a new account.'],
  },
  'authenticator added': securityChange('An authenticator app was set up for your account.'),
  'authenticator removed': securityChange('The authenticator app was removed from your account.'),
  'recovery codes renewed': securityChange(
    'New recovery codes were generated, and the old ones stopped working.',
  ),
  'recovery code used': securityChange('A recovery code was used to log in.'),
  'second step failing': securityChange(
    'Your password was entered correctly, but two-step verification failed repeatedly.',
  ),
  'logins failing': {
    subject: 'Many failed logins to your Reelmark account',
    heading: 'Many failed logins',
    paragraphs: [
      'Many logins to your account failed because the password was wrong. Devices on which you logged in before work as usual. Logging in on a new device takes a few seconds longer until this stops.',
      "You don't need to do anything if your password is long and you use it only here. Two-step verification in Settings → Security protects your account even if your password is guessed.",
    ],
    action: { label: 'Reset your password', path: '/forgot-password' },
  },
  'passkey added': securityChange('A passkey was added to your account.'),
  'passkey removed': securityChange('A passkey was removed from your account.'),
  'identity added': securityChange('An account on another site was linked to your account.'),
  'identity removed': securityChange('An account on another site was unlinked from your account.'),
  'access token created': securityChange('An access token was created for your account.'),
} satisfies Record<string, SecurityMailText>

export type SecurityMailKind = keyof typeof securityMailTexts
