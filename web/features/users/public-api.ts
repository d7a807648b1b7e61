/** What other areas may import from `users`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export { CollectorsDialog } from './follows/collectors-dialog.tsx'
export { FollowButton } from './follows/follow-button.tsx'
export { loadUserMenu } from './lazy-components.ts'
export { WithMentions } from './mentions/with-mentions.tsx'
export type { NotificationChoice } from './profiles/notification-flags.ts'
export { profileQuery } from './profiles/queries.ts'
export { useSettingChoices } from './profiles/use-setting-choices.ts'
