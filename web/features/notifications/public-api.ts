/** What other areas may import from `notifications`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export { BellLink } from './bell-link.tsx'
export { loadLiveUnread } from './lazy-components.ts'
export { unreadText, useUnread } from './unread.ts'
