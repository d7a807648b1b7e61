/** What other areas may import from `auth`. See web/build/shared-chunks-plugin.ts for what pages load of it. */
export { securityQuery } from './settings-queries.ts'
