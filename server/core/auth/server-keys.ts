/** Keys that all processes of a site share. They are created on the first start and stored in the database. */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { Db } from '../database/database.ts'

interface KeyEntry {
  /** `encryption`: AES-256-GCM (encryption.ts); rotate-keys.ts must name what it encrypts. Otherwise HMAC-SHA-256. */
  use: 'encryption' | 'signature'
  /** What the key is for. */
  purpose: string
  /** What users notice when it is replaced. */
  onRotation: string
}

/** Every key, each for one purpose. The table in docs/operating.md is checked against it. */
export const keyInventory = {
  'access-token': {
    use: 'signature',
    purpose: 'access tokens',
    onRotation: 'nothing: browsers refresh their access token',
  },
  'refresh-token': {
    use: 'signature',
    purpose: 'refresh tokens',
    onRotation: 'all sessions end, and users log in again',
  },
  'embed-page': {
    use: 'signature',
    purpose: 'links to the pages of players of unknown hosts',
    onRotation: 'open pages must be reloaded',
  },
  'waiting-mail': {
    use: 'encryption',
    purpose: 'mails that wait to be sent',
    onRotation: 'nothing: waiting mails are encrypted again',
  },
  authenticator: {
    use: 'encryption',
    purpose: 'secrets of authenticator apps',
    onRotation: 'nothing: the secrets are encrypted again',
  },
  'collection-link': {
    use: 'encryption',
    purpose: 'secret links of collections',
    onRotation: 'nothing: the links are encrypted again',
  },
  webhook: {
    use: 'encryption',
    purpose: 'secrets of webhooks',
    onRotation: 'nothing: the secrets are encrypted again',
  },
  device: {
    use: 'signature',
    purpose: 'cookies of trusted devices',
    onRotation: 'until their next login, devices share the limit of unknown devices for failed logins',
  },
  'passkey-user': {
    use: 'signature',
    purpose: 'user handles in new passkeys',
    onRotation: 'a new passkey does not replace an earlier one on the same device',
  },
  unsubscribe: {
    use: 'signature',
    purpose: 'links that unsubscribe from digests',
    onRotation: 'links in mails that were sent stop working',
  },
  'registration-challenge': {
    use: 'signature',
    purpose: 'registration challenges',
    onRotation: 'open registration forms solve another challenge',
  },
} as const satisfies Record<string, KeyEntry>

export type KeyName = keyof typeof keyInventory
export type EncryptionKeyName = {
  [Name in KeyName]: (typeof keyInventory)[Name]['use'] extends 'encryption' ? Name : never
}[KeyName]

export const keyNames = Object.keys(keyInventory) as KeyName[]

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
