/** What other areas may import from `transfer`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export { loadExportDialog } from './lazy-components.ts'
