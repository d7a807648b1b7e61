/** What other areas may import from `auth`: re-exports only, see web/build/shared-chunks-plugin.ts. */
export { securityQuery } from './settings-queries.ts'
