/** What other areas may import from `notifications`: re-exports only. */
export {
  notifyAppealDecided,
  notifyBookmarked,
  notifyCollectionFollow,
  notifyComment,
  notifyDecision,
  notifyFollow,
  notifyLike,
  notifyMentionsInComment,
  notifyMentionsInDescription,
  notifyReply,
  notifyReportsDecided,
} from './notify.ts'
export { notifyLinkProposed, notifyLinkReplaced } from './notify-links.ts'
export { announceBookmark, announceComment, announceReport } from './webhooks/events.ts'
