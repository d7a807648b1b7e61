/** Components for other areas that are loaded when they are first shown. */

export const loadLiveUnread = () => import('./live-unread.tsx').then((module) => module.LiveUnread)
