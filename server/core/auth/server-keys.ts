/** Keys that all processes of a site share. They are created on the first start and stored in the database. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Db } from '../database/database.ts'

export const keyNames = [
  'access-token',
  'refresh-token',
  'embed-page',
  'waiting-mail',
  'authenticator',
  'device',
  'passkey-user',
  'unsubscribe',
  'registration-challenge',
] as const
export type KeyName = (typeof keyNames)[number]

/** Keys of 256 bits, each for one purpose. */
export type ServerKeys = Readonly<Record<KeyName, KeyObject>>

/** Loads all keys and creates those that are missing. Processes that start at the same time get the same keys. */
export async function loadServerKeys(db: Db): Promise<ServerKeys> {
  const values = keyNames.map(() => randomBytes(32).toString('hex'))
  await db`
    insert into server_keys (name, value)
    select name, decode(value, 'hex') from unnest(${[...keyNames]}::text[], ${values}::text[]) as keys (name, value)
    on conflict do nothing`
  const rows = await db<{ name: KeyName; value: Buffer }[]>`
    select name, value from server_keys where name = any (${[...keyNames]}::text[])`
  return Object.fromEntries(rows.map(({ name, value }) => [name, createSecretKey(value)])) as ServerKeys
}
