/** What other areas may import from `shell`: re-exports only, see web/build/shared-chunks-plugin.ts. */
export { ShortcutsDialog, SingleKeysSwitch } from './shortcuts-dialog.tsx'
