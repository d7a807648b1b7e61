import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, slowTimeouts, type TestDatabase } from '../../testing/test-database.ts'
import { connect, type Sql } from '../database/database.ts'
import { serverKey } from './server-keys.ts'

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

test('processes that start at once share one key, and each purpose has its own', async () => {
  const [first, ...others] = await Promise.all(pools.map((pool) => serverKey(pool, 'access-token')))
  for (const other of others) expect(first?.equals(other)).toBe(true)
  const [pool] = pools as [Sql]
  expect(first?.equals(await serverKey(pool, 'refresh-token'))).toBe(false)
  expect(first?.symmetricKeySize).toBe(32)
})

test('a key is read once, and again after the database was away', async () => {
  const away = connect('postgres://nobody@127.0.0.1:1/nowhere', { max: 1 })
  await expect(serverKey(away, 'access-token')).rejects.toThrow()
  const again = serverKey(away, 'access-token')
  await expect(again).rejects.toThrow()
  await away.end({ timeout: 1 })
  const [pool] = pools as [Sql]
  expect(serverKey(pool, 'access-token')).toBe(serverKey(pool, 'access-token'))
})
