/**
 * Connects to the user's site: OAuth 2.0 with an authorization code and PKCE. The user allows it on a page of the site, in
 * a tab that this script opens and closes.
 */
import { exchangeConnectionCode } from '@reelmark/contract/connections.ts'
import { call } from '@reelmark/contract/protocol/call.ts'
import { siteTransport } from '../api.ts'
import { browser } from '../browser.ts'
import { sendMessage } from '../messages.ts'
import { clientId } from '../names.ts'
import { type Connection, readStored, writeStored } from '../stored.ts'
import { createChallenge, createSecret } from './pkce.ts'
import { hostPermission } from './site-address.ts'

/** Why the extension is not connected although nothing failed. */
export type ConnectionRefusal = 'permission' | 'closed' | 'denied'

/**
 * Connects to a site. Must be called directly by the handler of a click, because browsers show the question for the
 * permission only then.
 * @returns null, or why the user did not allow it
 * @throws CallError if the site does not accept the code, Error if the saves of another account could not be stopped
 */
export async function connect(site: string): Promise<ConnectionRefusal | null> {
  const isAllowed = await browser.permissions.request({ origins: [hostPermission(site)] })
  if (!isAllowed) return 'permission'
  const [state, code_verifier] = [createSecret(), createSecret()]
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    scope: 'read write',
    state,
    code_challenge: await createChallenge(code_verifier),
    code_challenge_method: 'S256',
  })
  const { id: tabId } = await browser.tabs.create({ url: `${site}/connect?${query}` })
  if (tabId === undefined) return 'closed'
  const result = await waitForResult(tabId, `${site}/connect/done#`)
  if (result === null) return 'closed'
  const code = result.get('code')
  if (result.get('state') !== state || code === null) {
    await browser.tabs.remove(tabId)
    return 'denied'
  }
  try {
    const body = { grant_type: 'authorization_code' as const, code, code_verifier, client_id: clientId }
    const granted = await call(siteTransport(site, null), exchangeConnectionCode, { body })
    await storeConnection({ site, username: granted.username, token: granted.access_token })
  } finally {
    await browser.tabs.remove(tabId)
  }
  return null
}

/** Waits until a tab is at the address, and returns the parameters after it; null if the tab is closed before. */
function waitForResult(tabId: number, address: string): Promise<URLSearchParams | null> {
  return new Promise((resolve) => {
    const finish = (result: URLSearchParams | null) => {
      browser.tabs.onUpdated.removeListener(onUpdated)
      browser.tabs.onRemoved.removeListener(onRemoved)
      resolve(result)
    }
    const onUpdated = (id: number, _change: unknown, { url = '' }: chrome.tabs.Tab) => {
      if (id === tabId && url.startsWith(address)) finish(new URLSearchParams(url.slice(address.length)))
    }
    const onRemoved = (id: number) => {
      if (id === tabId) finish(null)
    }
    browser.tabs.onUpdated.addListener(onUpdated)
    browser.tabs.onRemoved.addListener(onRemoved)
  })
}

/** Stores a connection. What another account was about to save is not sent to this one unless the user repeats it. */
async function storeConnection(connection: Connection): Promise<void> {
  const previous = await readStored('connection')
  if (previous !== null && previous.username !== connection.username) {
    const isStopped = await sendMessage({ type: 'stop', problem: `You saved this as ${previous.username}.` })
    if (isStopped !== true) throw new Error('pending saves could not be stopped')
    await writeStored('lastDestination', null)
  }
  await writeStored('connection', connection)
}
