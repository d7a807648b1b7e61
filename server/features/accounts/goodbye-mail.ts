import type { MailMessage } from '../../core/mail.ts'
import { layOutMail } from '../../core/mail-layout.ts'

/** The last mail to an address: that its account is gone. */
export function goodbyeMail(
  { username, email }: { username: string; email: string },
  publicUrl: string,
): MailMessage {
  return {
    to: email,
    subject: 'Your Reelmark account was deleted',
    ...layOutMail(
      {
        heading: 'Goodbye',
        paragraphs: [
          `Hello ${username},`,
          'your Reelmark account was just deleted, with your profile, your collections and bookmarks, your likes and whom you followed. Comments that you wrote stay, without your name.',
          'Nobody can undo that, nor can we. If it was not you, write to us: we would like to know.',
        ],
        action: { label: 'Contact us', path: '/contact' },
        footnotes: ['Your name and this address are free: whoever wants can sign up with them.'],
      },
      publicUrl,
    ),
  }
}
