import type { Profile } from '@reelmark/contract/profiles.ts'

export type NotificationChoice = Extract<keyof Profile, `notify_${string}`>
export type NotificationFlag = Exclude<NotificationChoice, 'notify_by_email'>

/** The events a user can be notified of. */
export const notificationFlags: readonly { flag: NotificationFlag; label: string; hint?: string }[] = [
  { flag: 'notify_on_follow', label: 'Someone follows you' },
  { flag: 'notify_on_own_video_bookmarked', label: 'Someone saves one of your bookmarks' },
  { flag: 'notify_on_own_video_liked', label: 'Someone likes one of your bookmarks' },
  {
    flag: 'notify_on_new_bookmark_from_followed_user',
    label: 'Someone you follow adds a bookmark',
    hint: 'Public bookmarks only.',
  },
]
