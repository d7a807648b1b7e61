import type { Notification } from '@reelmark/contract/notifications.ts'
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import type { MailMessage } from '../../core/mail/mail.ts'
import { renderMail } from '../../core/mail/mail-layout.ts'
import type { DigestRecipient } from './digest-queries.ts'

/** So many notifications are told one by one; the rest is a number. */
export const digestMaxItems = 10

/** What is unread, in the words of the site, with the way out of these mails that mail programs know (RFC 8058). */
export function digestMail(
  { username, email, rhythm }: DigestRecipient,
  { count, results }: { count: number; results: readonly Notification[] },
  unsubscribePath: string,
  publicUrl: string,
): MailMessage {
  const rest = count - results.length
  return {
    to: email,
    subject: count === 1 ? 'You have a new notification' : `You have ${count} new notifications`,
    headers: {
      'List-Unsubscribe': `<${publicUrl}${unsubscribePath}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    ...renderMail(
      {
        heading: 'While you were away',
        paragraphs: [
          `Hello ${username},`,
          ...results.map(sentence),
          ...(rest > 0 ? [`And ${rest} more.`] : []),
        ],
        action: { label: 'View notifications', path: '/notifications' },
        footnotes: [
          `You're receiving this ${rhythm} digest because you turned it on in Settings.`,
          `Unsubscribe: ${publicUrl}${unsubscribePath}`,
        ],
      },
      publicUrl,
    ),
  }
}

/**
 * Of adult videos no word: mails are read on other people's screens, and their first lines on locked ones. Neither what
 * is said of them.
 */
function sentence({ kind, actors, actors_count, bookmark, comment, decision }: Notification): string {
  const who = names(
    actors.map(({ username }) => username),
    actors_count,
  )
  const isHushed = bookmark !== null && isAdult(bookmark.orientation)
  const what = isHushed ? ' a video' : ` “${bookmark?.title}”`
  switch (kind) {
    case 'follow':
      return `${who} followed you.`
    case 'own_video_bookmarked':
      return `${who} saved ${isHushed ? 'one of your bookmarks' : `your bookmark${what}`}.`
    case 'new_bookmark_from_followed_user':
      return `${who} saved${what}.`
    case 'own_video_liked':
      return `${who} liked${what}.`
    case 'moderation':
      return decision?.appeal_status == null
        ? 'A moderator made a decision about your content.'
        : 'We reviewed your appeal.'
    case 'report_decided':
      return 'We reviewed your report.'
    case 'reply':
      return `${who} replied to your comment on${what}${isHushed ? '.' : `: ${comment?.excerpt}`}`
  }
}

/** 'ana', 'ana and bob', 'ana and 12 others'. */
function names([first = 'Someone', second]: string[], count: number): string {
  if (count <= 1) return first
  if (count === 2 && second !== undefined) return `${first} and ${second}`
  return `${first} and ${count >= 100 ? '98+' : count - 1} others`
}
