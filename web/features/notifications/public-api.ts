/** What other areas may import from `notifications`. See web/build/shared-chunks-plugin.ts for what pages load of it. */
export { BellLink } from './bell-link.tsx'
export { loadLiveUnread } from './lazy-components.ts'
export { unreadText, useUnread } from './unread.ts'
