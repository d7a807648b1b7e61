/** `npm run schema`: writes server/migrations/schema.sql, the description of the database after all migrations. */
import { ensureInstalled } from './prerequisites.mjs'
import { node26, run } from './processes.mjs'

try {
  await ensureInstalled()
  process.exitCode = await run(node26(), ['server/testing/write-schema.ts'])
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
