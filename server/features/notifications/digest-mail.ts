import type { NotificationKind } from '@reelmark/contract/notifications.ts'
import type { SwitchableKind } from '@reelmark/contract/profiles.ts'
import type { MailMessage } from '../../core/mail/mail.ts'
import { renderMail } from '../../core/mail/mail-layout.ts'
import type { DigestRecipient } from './digest-queries.ts'

/** The names of the kinds in the sentence 'Stop emails about …'. */
const kindNames: Record<SwitchableKind, string> = {
  follow: 'new followers',
  collection_follow: 'new followers of your collections',
  own_video_bookmarked: 'saves of your bookmarks',
  new_bookmark_from_followed_user: 'bookmarks of people, collections and channels you follow',
  own_video_liked: 'likes of your bookmarks',
  reply: 'replies to you',
  comment: 'discussions of videos you saved first',
  mention: 'mentions of you',
}

interface DigestContent {
  counts: readonly { kind: NotificationKind; count: number }[]
  /** How many videos the user saved turned out to be gone. */
  missing: number
}

/**
 * Creates the mail about a user's unread notifications and the videos that are gone, with the headers for one-click unsubscribing (RFC 8058) and a link
 * to unsubscribe from each kind that it contains. It contains numbers only: titles, comments and usernames are texts
 * of other users, and lock screens show the first lines of mails.
 * @param unsubscribeLink returns the address that turns off one kind of notifications in digests, or with null all digests
 */
export function digestMail(
  { email, rhythm }: DigestRecipient,
  { counts, missing }: DigestContent,
  unsubscribeLink: (kind: SwitchableKind | null) => string,
  publicUrl: string,
): MailMessage {
  const count = counts.reduce((sum, { count }) => sum + count, 0)
  const unsubscribe = unsubscribeLink(null)
  const contained = (Object.keys(kindNames) as SwitchableKind[]).filter((kind) =>
    counts.some((found) => found.kind === kind),
  )
  const summary = count === 1 ? 'You have a new notification' : `You have ${count} new notifications`
  const missingText =
    missing === 1
      ? 'A video you saved is gone from its site'
      : `${missing} videos you saved are gone from their sites`
  return {
    to: email,
    subject: count === 0 ? missingText : summary,
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    ...renderMail(
      {
        heading: 'While you were away',
        paragraphs: [
          ...(count === 0 ? [] : [`${summary} on Reelmark.`]),
          ...(missing === 0
            ? []
            : [`${missingText}. Search for is:gone to find ${missing === 1 ? 'it' : 'them'}.`]),
        ],
        action:
          count === 0
            ? { label: 'View these videos', path: '/explore?q=is%3Agone' }
            : { label: 'View notifications', path: '/notifications' },
        footnotes: [
          `You're receiving this ${rhythm} digest because you turned it on in Settings.`,
          `Unsubscribe: ${unsubscribe}`,
          ...contained.map((kind) => `Stop emails about ${kindNames[kind]}: ${unsubscribeLink(kind)}`),
        ],
      },
      publicUrl,
    ),
  }
}
