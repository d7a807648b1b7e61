/** Requests that a page repeats on its own. If the session has ended, a toast says so and the page stays. */
import { endpointUrl } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import { toast } from '../../ui/toast.tsx'
import { loginPath, redirectTo } from '../session/redirects.ts'
import { clearSession } from '../session/session-store.ts'
import { authorisedTransport } from './api.ts'
import { fetchTransport } from './fetch-transport.ts'

/** Sends a request without input as the viewer; `read` reads the response. */
export function sendInBackground(
  { method, path }: Endpoint,
  signal: AbortSignal,
  read: (response: Response) => Promise<unknown>,
) {
  const transport = authorisedTransport(fetchTransport(signal, read), announceSessionEnd)
  return transport({ method, url: endpointUrl({ path }), headers: {}, body: null })
}

function announceSessionEnd(): void {
  clearSession()
  const path = loginPath(window.location)
  toast("You've been logged out. Log in to continue.", {
    action: { label: 'Log in', run: () => redirectTo(path), href: path },
  })
}
