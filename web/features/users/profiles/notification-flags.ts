import type { Profile, SettingFlag } from '@reelmark/contract/profiles.ts'

export type NotificationChoice = Extract<keyof Profile, `${'notify' | 'mail'}_${string}`>

/** The notifications that the dialog to edit a profile contains; Settings contains all. */
const texts: Partial<Record<NotificationChoice, { label: string; hint?: string }>> = {
  notify_on_follow: { label: 'Someone follows you' },
  notify_on_own_video_bookmarked: { label: 'Someone saves one of your bookmarks' },
  notify_on_own_video_liked: { label: 'Someone likes one of your bookmarks' },
  notify_on_new_bookmark_from_followed_user: {
    label: 'Someone you follow adds a bookmark',
    hint: 'Or someone adds one to a collection or channel you follow. Public bookmarks only.',
  },
}

export const notificationFlags = Object.entries(texts).map(([flag, text]) => ({
  flag: flag as SettingFlag,
  ...text,
}))
