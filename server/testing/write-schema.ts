/** `npm run schema`: regenerates server/migrations/schema.sql. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../core/database/database.ts'
import { describeSchema } from './describe-schema.ts'
import { createTestDatabase, startTestCluster } from './test-database.ts'

const cluster = await startTestCluster()
try {
  const database = await createTestDatabase()
  const sql = connect(database.url, { max: 1 })
  writeFileSync(join(import.meta.dirname, '../migrations/schema.sql'), await describeSchema(sql))
  await sql.end({ timeout: 5 })
  await database.drop()
} finally {
  await cluster.stop()
}
