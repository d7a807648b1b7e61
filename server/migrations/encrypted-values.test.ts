/** The upgrade after which encrypted values name their format. */
import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decrypt } from '../core/auth/encryption.ts'
import { connect } from '../core/database/database.ts'
import { startJobs } from '../core/database/jobs.ts'
import { migrate } from '../core/database/migrate.ts'
import { openLog } from '../core/log.ts'
import { createEarlierDatabase } from '../testing/earlier-database.ts'
import { slowTimeouts } from '../testing/test-database.ts'

const key = createSecretKey(randomBytes(32))

/** Encrypts as the version before did. */
function encryptWithoutFormat(boundTo: string, text: string): Buffer {
  const nonce = randomBytes(12)
  const encryption = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo))
  return Buffer.concat([nonce, encryption.update(text, 'utf8'), encryption.final(), encryption.getAuthTag()])
}

test('secrets of authenticator apps, responses and waiting mails can still be decrypted', async () => {
  const database = await createEarlierDatabase(15)
  const db = connect(database.url, { ...slowTimeouts, max: 2 })
  await db`insert into users (username, email) values ('alice', 'alice@example.org')`
  await db`insert into authenticators (user_id, secret) values (1, ${encryptWithoutFormat('1', 'of the app')})`
  await db`
    insert into idempotency_keys (user_id, request_hash, status, key_hash, body)
    values (1, '', 200, ${randomBytes(32)}, ${encryptWithoutFormat('1', 'a response')})`
  const sendMail = { name: 'send-mail', retries: 0, seconds: 10, concurrency: 1, work: async () => {} }
  const log = openLog({ logLevel: 'silent' })
  const jobs = await startJobs(database.url, () => [sendMail], log, { work: false })
  // Longer than a line of base64 in PostgreSQL.
  const mail = 'a mail '.repeat(50)
  await jobs.send(db, sendMail, { id: 'm1', sealed: encryptWithoutFormat('m1', mail).toString('base64') })
  await jobs.stop()

  await migrate(database.url)
  const [stored] = await db<[{ secret: Buffer; body: Buffer; sealed: string }]>`
    select secret, body, (select data ->> 'sealed' from jobs.job where name = 'send-mail') as sealed
      from authenticators, idempotency_keys`
  expect(decrypt(key, '1', stored.secret)).toBe('of the app')
  expect(decrypt(key, '1', stored.body)).toBe('a response')
  expect(decrypt(key, 'm1', Buffer.from(stored.sealed, 'base64'))).toBe(mail)
  await db.end({ timeout: 5 })
  await database.drop()
})
