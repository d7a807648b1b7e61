/** Keys that all processes share: made once, by whoever comes first, and kept in the database. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Db } from './database.ts'

export type SecretName =
  | 'access-token'
  | 'refresh-token'
  | 'embed-page'
  | 'waiting-mail'
  | 'authenticator'
  | 'device'
  | 'passkey-user'
  | 'unsubscribe'
  | 'registration-challenge'

const cached = new WeakMap<Db, Map<SecretName, Promise<KeyObject>>>()

/** The key of that name, 256 bits. Read once per process and pool. */
export function secretKey(db: Db, name: SecretName): Promise<KeyObject> {
  const keys = cached.get(db) ?? new Map<SecretName, Promise<KeyObject>>()
  cached.set(db, keys)
  const known = keys.get(name)
  if (known !== undefined) return known
  const reading = readOrMake(db, name)
  keys.set(name, reading)
  // A database out of reach for a moment must not stay remembered.
  reading.catch(() => keys.delete(name))
  return reading
}

async function readOrMake(db: Db, name: SecretName): Promise<KeyObject> {
  const read = async () =>
    (await db<{ value: Buffer }[]>`select value from server_keys where name = ${name}`)[0]
  let row = await read()
  if (row === undefined) {
    await db`insert into server_keys (name, value) values (${name}, ${randomBytes(32)}) on conflict do nothing`
    row = await read()
  }
  if (row === undefined) throw new Error(`the secret ${name} could not be made`)
  return createSecretKey(row.value)
}
