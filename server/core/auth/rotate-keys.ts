/**
 * Replaces server keys. What a key encrypted is encrypted again in the same transaction. Processes read the keys at their
 * start only, so that no process of the site may run meanwhile.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Db, Sql, TransactionSql } from '../database/database.ts'
import { decrypt, encrypt } from './encryption.ts'
import { type EncryptionKeyName, type KeyName, keyInventory, keyNames } from './server-keys.ts'

/** An error whose message is meant for the operator. */
export class KeyRotationError extends Error {
  override readonly name = 'KeyRotationError'
}

/** Decrypts with the old key and encrypts with the new one. */
type Reencrypt = (boundTo: string, encrypted: Buffer) => Buffer

/** What each encryption key encrypted. */
const encryptedData: Record<EncryptionKeyName, (tx: TransactionSql, reencrypt: Reencrypt) => Promise<void>> =
  {
    async authenticator(tx, reencrypt) {
      const rows = await tx<{ user_id: number; secret: Buffer }[]>`select user_id, secret from authenticators`
      for (const { user_id, secret } of rows) {
        await tx`
        update authenticators set secret = ${reencrypt(String(user_id), secret)} where user_id = ${user_id}`
      }
    },
    async 'collection-link'(tx, reencrypt) {
      const rows = await tx<{ id: number; secret: Buffer }[]>`
      select collection_id as id, secret from collection_links`
      for (const { id, secret } of rows) {
        await tx`update collection_links set secret = ${reencrypt(String(id), secret)} where collection_id = ${id}`
      }
    },
    async webhook(tx, reencrypt) {
      const rows = await tx<{ id: number; user_id: number; secret: Buffer }[]>`
      select id, user_id, secret from webhooks`
      for (const { id, user_id, secret } of rows) {
        await tx`update webhooks set secret = ${reencrypt(String(user_id), secret)} where id = ${id}`
      }
    },
    async 'waiting-mail'(tx, reencrypt) {
      const rows = await tx<{ job: string; id: string; sealed: string }[]>`
      select id::text as job, data ->> 'id' as id, data ->> 'sealed' as sealed
        from jobs.job where name = 'send-mail'`
      for (const { job, id, sealed } of rows) {
        const resealed = reencrypt(id, Buffer.from(sealed, 'base64')).toString('base64')
        await tx`
        update jobs.job set data = jsonb_set(data, '{sealed}', to_jsonb(${resealed}::text))
         where name = 'send-mail' and id = ${job}::uuid`
      }
    },
  }

/**
 * Replaces the named keys, or all, in one transaction, and returns the names.
 * @throws KeyRotationError if a name is unknown or the site is running
 */
export async function rotateKeys(db: Sql, names: readonly string[]): Promise<KeyName[]> {
  const unknown = names.find((name) => !(keyNames as readonly string[]).includes(name))
  if (unknown !== undefined) {
    throw new KeyRotationError(`There is no key called ${unknown}. The keys are: ${keyNames.join(', ')}.`)
  }
  const chosen = keyNames.filter((name) => names.length === 0 || names.includes(name))
  await db.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    // A process that starts now waits for the new keys.
    await tx`lock table server_keys in exclusive mode`
    await requireStoppedSite(tx)
    for (const name of chosen) await rotateKey(tx, name)
    // Their refresh tokens cannot be verified any more.
    if (chosen.includes('refresh-token'))
      await tx`update sessions set ended_at = now(), expires_at = least(expires_at, now()) where ended_at is null`
  })
  return chosen
}

async function rotateKey(tx: TransactionSql, name: KeyName): Promise<void> {
  const value = randomBytes(32)
  const [old] = await tx<{ value: Buffer }[]>`select value from server_keys where name = ${name}`
  await tx`
    insert into server_keys (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`
  if (old === undefined || !isEncryptionKey(name)) return
  await encryptedData[name](tx, reencryptWith(createSecretKey(old.value), createSecretKey(value)))
}

function reencryptWith(oldKey: KeyObject, newKey: KeyObject): Reencrypt {
  return (boundTo, encrypted) => encrypt(newKey, boundTo, decrypt(oldKey, boundTo, encrypted))
}

function isEncryptionKey(name: KeyName): name is EncryptionKeyName {
  return keyInventory[name].use === 'encryption'
}

/** @throws KeyRotationError if a process of the site is connected to the database */
async function requireStoppedSite(db: Db): Promise<void> {
  const [running] = await db<[{ count: number }]>`
    select count(*)::int from pg_stat_activity
     where datname = current_database() and application_name = 'reelmark'`
  if (running.count > 0)
    throw new KeyRotationError('The site is running. Stop it on all machines, and rotate the keys then.')
}
