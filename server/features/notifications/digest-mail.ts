import type { Notification } from '@reelmark/contract/notifications.ts'
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import type { MailMessage } from '../../core/mail/mail.ts'
import { renderMail } from '../../core/mail/mail-layout.ts'
import type { DigestRecipient } from './digest-queries.ts'

/** Maximum number of notifications described in a digest; the mail only counts the others. */
export const digestMaxItems = 10

/** Creates the mail about a user's unread notifications, with the headers for one-click unsubscribing (RFC 8058). */
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
          ...results.map(describeNotification),
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
 * Describes a notification in one sentence. Omits title and comment if the video is adult content, because other people
 * may see the screen, and lock screens show the first lines of mails.
 */
function describeNotification({
  kind,
  actors,
  actors_count,
  bookmark,
  comment,
  decision,
}: Notification): string {
  const actorNames = formatNames(
    actors.map(({ username }) => username),
    actors_count,
  )
  const isAdultVideo = bookmark !== null && isAdult(bookmark.orientation)
  const videoText = isAdultVideo ? ' a video' : ` “${bookmark?.title}”`
  switch (kind) {
    case 'follow':
      return `${actorNames} followed you.`
    case 'own_video_bookmarked':
      return `${actorNames} saved ${isAdultVideo ? 'one of your bookmarks' : `your bookmark${videoText}`}.`
    case 'new_bookmark_from_followed_user':
      return `${actorNames} saved${videoText}.`
    case 'own_video_liked':
      return `${actorNames} liked${videoText}.`
    case 'moderation':
      return decision?.appeal_status == null
        ? 'A moderator made a decision about your content.'
        : 'We reviewed your appeal.'
    case 'report_decided':
      return 'We reviewed your report.'
    case 'reply':
      return `${actorNames} replied to your comment on${videoText}${isAdultVideo ? '.' : `: ${comment?.excerpt}`}`
  }
}

/** Returns the actors in words: 'ana', 'ana and bob', 'ana and 12 others'. */
function formatNames([first = 'Someone', second]: string[], count: number): string {
  if (count <= 1) return first
  if (count === 2 && second !== undefined) return `${first} and ${second}`
  return `${first} and ${count >= 100 ? '98+' : count - 1} others`
}
