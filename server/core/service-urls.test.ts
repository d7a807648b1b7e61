import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, slowTimeouts, type TestDatabase } from '../testing/test-database.ts'
import { connect } from './database/database.ts'
import { secureDatabaseUrl } from './service-urls.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Connects to the test database through an address that is not one of the names of this machine. */
async function readOne(parameters: string): Promise<unknown> {
  const url = new URL(database.url)
  url.hostname = '0.0.0.0'
  const secured = secureDatabaseUrl(`${url.href}${parameters}`)
  if (secured === null) throw new Error('the URL is not valid')
  const db = connect(secured, { ...slowTimeouts, max: 1 })
  try {
    return (await db`select 1 as one`)[0]
  } finally {
    await db.end({ timeout: 5 })
  }
}

test.each(['', '?sslmode=require', '?sslmode=verify-full'])(
  'a database on another machine that offers no TLS is not used with the parameters "%s"',
  async (parameters) => {
    await expect(readOne(parameters)).rejects.toThrow(/offers no TLS.*sslmode=disable/)
  },
)

test('a database on another machine is used without TLS if the operator turned it off', async () => {
  expect(await readOne('?sslmode=disable')).toEqual({ one: 1 })
})
