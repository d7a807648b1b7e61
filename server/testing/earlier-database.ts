import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate } from '../core/database/migrate.ts'
import { createEmptyDatabase, type TestDatabase } from './test-database.ts'

const migrationsFolder = path.join(import.meta.dirname, '../migrations')

/**
 * Creates a database with the tables of an earlier version and without functions: rows must be written as triggers would
 * leave them. `migrate(database.url)` upgrades it.
 * @param version the number of the last migration that has run
 */
export async function createEarlierDatabase(version: number): Promise<TestDatabase> {
  const database = await createEmptyDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'reelmark-migrations-'))
  try {
    for (const name of await readdir(migrationsFolder)) {
      if (/^\d{4}-/.test(name) && Number(name.slice(0, 4)) <= version)
        await cp(path.join(migrationsFolder, name), path.join(folder, name))
    }
    await migrate(database.url, { directory: folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return database
}
