/** What other areas may import from `auth`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export { securityQuery } from './settings-queries.ts'
