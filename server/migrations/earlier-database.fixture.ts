/** Databases of earlier versions, for tests of upgrades. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { connect, type Sql } from '../core/database/database.ts'
import { migrate } from '../core/database/migrate.ts'
import { createEmptyDatabase, slowTimeouts } from '../testing/test-database.ts'

/**
 * Creates a database with the migrations up to `lastMigration`, a number such as `0010`, and without functions, so that no
 * trigger runs: a test writes rows as triggers would leave them. The database is dropped when the test ends.
 */
export async function createEarlierDatabase(lastMigration: string): Promise<{ url: string; db: Sql }> {
  const database = await createEmptyDatabase()
  const db = connect(database.url, { ...slowTimeouts, max: 2 })
  onTestFinished(async () => {
    await db.end({ timeout: 5 })
    await database.drop()
  })
  const directory = await mkdtemp(path.join(tmpdir(), 'reelmark-migrations-'))
  try {
    for (const name of await readdir(import.meta.dirname)) {
      if (/^\d{4}-.*\.sql$/.test(name) && name.slice(0, 4) <= lastMigration)
        await cp(path.join(import.meta.dirname, name), path.join(directory, name))
    }
    await migrate(database.url, { directory })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
  return { url: database.url, db }
}
