import type { NotifyFlag } from '../settings/use-notify-choices.ts'

/** What one can be told of, in words. */
export const notifyFlags: readonly { flag: NotifyFlag; label: string; hint?: string }[] = [
  { flag: 'notify_on_follow', label: 'Somebody follows you' },
  { flag: 'notify_on_own_video_bookmarked', label: 'Somebody saves a video from your bookmarks' },
  { flag: 'notify_on_own_video_liked', label: 'Somebody likes a video from your bookmarks' },
  {
    flag: 'notify_on_new_bookmark_from_followed_user',
    label: 'Somebody you follow saves a video',
    hint: 'Public bookmarks only.',
  },
]
