import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, slowTimeouts, type TestDatabase } from '../../testing/test-database.ts'
import { connect, type Sql } from '../database/database.ts'
import { keyNames, loadServerKeys } from './server-keys.ts'

let database: TestDatabase
let pools: Sql[]
beforeAll(async () => {
  database = await createTestDatabase()
  pools = Array.from({ length: 8 }, () => connect(database.url, { ...slowTimeouts, max: 2 }))
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })))
  await database.drop()
})

test('processes that start at the same time load the same keys, and each purpose has its own', async () => {
  const loaded = await Promise.all(pools.map((pool) => loadServerKeys(pool)))
  const hex = loaded.map((keys) => keyNames.map((name) => keys[name].export().toString('hex')))
  expect(new Set(hex.map((keys) => keys.join())).size).toBe(1)
  expect(new Set(hex[0]).size).toBe(keyNames.length)
  for (const key of hex[0] ?? []) expect(key).toMatch(/^[0-9a-f]{64}$/)
})

test('a key that a newer version needs is added, and the others stay the same', async () => {
  const [pool] = pools as [Sql]
  const before = await loadServerKeys(pool)
  await pool`delete from server_keys where name = 'unsubscribe'`
  const after = await loadServerKeys(pool)
  expect(after.unsubscribe.equals(before.unsubscribe)).toBe(false)
  for (const name of keyNames.filter((name) => name !== 'unsubscribe')) {
    expect(after[name].equals(before[name]), name).toBe(true)
  }
})
