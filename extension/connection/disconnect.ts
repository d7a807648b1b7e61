import { endConnection } from '@reelmark/contract/connections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { isRefusedToken, siteTransport } from '../api.ts'
import { browser } from '../browser.ts'
import { clearStored, readStored } from '../stored.ts'
import { hostPermission } from './site-address.ts'

/**
 * Revokes the token and removes everything that belongs to the site from this device: also saves that were not sent.
 * @returns whether the site revoked the token. If it cannot be reached, only the user can, in its settings.
 */
export async function disconnect(): Promise<boolean> {
  const connection = await readStored('connection')
  if (connection === null) return true
  const { site, token } = connection
  const isRevoked =
    token === null ||
    (await call(siteTransport(site, token), endConnection, {}).then(
      () => true,
      (error: unknown) => isRefusedToken(error),
    ))
  await clearStored()
  await browser.permissions.remove({ origins: [hostPermission(site)] }).catch(() => undefined)
  return isRevoked
}
