/** What other areas may import from `notifications`: re-exports only. */
export {
  notifyAppealDecided,
  notifyBookmarked,
  notifyDecision,
  notifyFollow,
  notifyLike,
  notifyReply,
  notifyReportsDecided,
} from './notify.ts'
