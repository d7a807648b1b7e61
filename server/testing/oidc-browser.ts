/** Plays the browser's part in an OpenID Connect login: stores the cookie and submits the callback parameters. */

import {
  addIdentity,
  beginLinkingIdentity,
  beginOidcLogin,
  logInWithOidc,
  registerWithOidc,
} from '@reelmark/contract/identities.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import type { TestCallback } from './oidc-provider.ts'
import type { TestApp } from './test-app.ts'

export interface BrowserReply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests compare bodies of any endpoint.
  body: any
}

export interface TestBrowser {
  /** Begins a login, or as a signed-in user linking an identity, and returns the provider's URL. */
  beginRedirect(as?: { access: string } | null): Promise<string>
  /** Submits the callback parameters and returns the response. */
  completeRedirect(returned: object, as?: { access: string } | null): Promise<BrowserReply>
  /** The current cookie; '' for none. */
  cookie: string
}

export function openBrowser(site: TestApp): TestBrowser {
  async function post(endpoint: Endpoint, payload: object | null, as: { access: string } | null) {
    const reply = await site.app.inject({
      method: 'POST',
      url: `/api${endpoint.path}`,
      headers: as === null ? {} : { authorization: `Bearer ${as.access}` },
      ...(browser.cookie !== '' && { cookies: { oidc: browser.cookie } }),
      ...(payload !== null && { payload }),
    })
    const set = reply.cookies.find(({ name }) => name === 'oidc')
    if (set !== undefined) browser.cookie = set.value
    return { status: reply.statusCode, body: reply.json() }
  }
  const browser: TestBrowser = {
    cookie: '',
    async beginRedirect(as = null) {
      const { status, body } = await post(as === null ? beginOidcLogin : beginLinkingIdentity, null, as)
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.url as string
    },
    completeRedirect: (returned, as = null) => post(as === null ? logInWithOidc : addIdentity, returned, as),
  }
  return browser
}

/** Completes a whole login: signs in at the provider as `login`, and then here. */
export async function signInWithOidc(
  site: TestApp,
  provider: { visit(url: string, login: string): Promise<TestCallback> },
  login: string,
  as: { access: string } | null = null,
  more: { remember?: boolean } = {},
): Promise<BrowserReply> {
  const browser = openBrowser(site)
  const returned = await provider.visit(await browser.beginRedirect(as), login)
  return browser.completeRedirect({ ...returned, ...more }, as)
}

/** Creates an account named `login` with the provider as its only sign-in method, and signs in. */
export async function registerThroughOidc(
  site: TestApp,
  provider: { visit(url: string, login: string): Promise<TestCallback> },
  login: string,
): Promise<{ access: string; username: string }> {
  const { body } = await signInWithOidc(site, provider, login)
  return site.call(registerWithOidc, { body: { ticket: body.ticket, username: login } })
}
