/** What other areas may import from `users`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export { CollectorsDialog } from './follows/collectors-dialog.tsx'
export { loadUserMenu } from './lazy-components.ts'
export {
  type NotificationChoice,
  type NotificationFlag,
  notificationFlags,
} from './profiles/notification-flags.ts'
export { profileQuery } from './profiles/queries.ts'
