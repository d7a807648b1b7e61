/** What other areas may import from `shell`. See web/build/shared-chunks-plugin.ts for what pages load of it. */
export { ShortcutsDialog, SingleKeysSwitch } from './shortcuts-dialog.tsx'
