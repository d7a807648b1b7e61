/** What people are written when the e-mail address of an account is to change. */
import type { MailMessage } from '../../core/mail.ts'
import { layOutMail } from '../../core/mail-layout.ts'

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
    ...layOutMail(
      {
        heading: 'Confirm your email address',
        paragraphs: [
          `Hello ${username},`,
          'somebody, hopefully you, asked to make this the email address of your Reelmark account. The link works once, within the next day.',
        ],
        action: { label: 'Confirm this address', path },
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
    subject: 'This email address has a Reelmark account already',
    ...layOutMail(
      {
        heading: 'This address has an account already',
        paragraphs: [
          `Hello ${username},`,
          `somebody, perhaps you, asked to make this the email address of another Reelmark account. It is the address of yours, ${username}, so nothing was changed.`,
          'If it was you: log in to the other account with its own address, or give this one another address first.',
        ],
        footnotes: ['If it was not you, you need not do anything.'],
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
    ...layOutMail(
      {
        heading: 'Your email address was changed',
        paragraphs: [
          `Hello ${username},`,
          'your Reelmark account has another email address now: mails about it, links that reset the password too, go there and not here any more.',
          'If that was not you, write to us at once from this address.',
        ],
        action: { label: 'It was not me', path: '/contact' },
      },
      publicUrl,
    ),
  }
}
