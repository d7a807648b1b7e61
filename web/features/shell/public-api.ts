/** What other areas may import from `shell`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export { ShortcutsDialog, SingleKeysSwitch } from './shortcuts-dialog.tsx'
