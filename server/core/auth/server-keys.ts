/** Keys that all processes share: made once, by whoever comes first, and kept in the database. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Db } from '../database/database.ts'

export type KeyName =
  | 'access-token'
  | 'refresh-token'
  | 'embed-page'
  | 'waiting-mail'
  | 'authenticator'
  | 'device'
  | 'passkey-user'
  | 'unsubscribe'
  | 'registration-challenge'

const cached = new WeakMap<Db, Map<KeyName, Promise<KeyObject>>>()

/** The key of that name, 256 bits. Read once per process and pool. */
export function serverKey(db: Db, name: KeyName): Promise<KeyObject> {
  const keys = cached.get(db) ?? new Map<KeyName, Promise<KeyObject>>()
  cached.set(db, keys)
  const known = keys.get(name)
  if (known !== undefined) return known
  const reading = readOrCreateKey(db, name)
  keys.set(name, reading)
  // A database out of reach for a moment must not stay remembered.
  reading.catch(() => keys.delete(name))
  return reading
}

async function readOrCreateKey(db: Db, name: KeyName): Promise<KeyObject> {
  const read = async () =>
    (await db<{ value: Buffer }[]>`select value from server_secrets where name = ${name}`)[0]
  let row = await read()
  if (row === undefined) {
    await db`insert into server_secrets (name, value) values (${name}, ${randomBytes(32)}) on conflict do nothing`
    row = await read()
  }
  if (row === undefined) throw new Error(`the secret ${name} could not be made`)
  return createSecretKey(row.value)
}
