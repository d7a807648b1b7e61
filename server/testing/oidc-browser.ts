/** A browser's part in signing in through another site: it keeps the cookie, and hands over what it came back with. */
import type { Endpoint } from '@reelmark/contract/endpoint.ts'
import { addIdentity, beginIdentity, beginOidcLogin, logInByOidc } from '@reelmark/contract/identities.ts'
import type { TestApp } from './app.ts'
import type { ReturnedInTest } from './oidc-provider.ts'

export interface Answered {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever was answered, for tests to compare.
  body: any
}

export interface BrowserInTest {
  /** Where to go to sign in, or, signed in, to link. */
  leave(as?: { access: string } | null): Promise<string>
  /** What was answered to what it came back with. */
  comeBack(returned: object, as?: { access: string } | null): Promise<Answered>
  /** Its cookie; '' where it has none. */
  cookie: string
}

export function openBrowser(site: TestApp): BrowserInTest {
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
  const browser: BrowserInTest = {
    cookie: '',
    async leave(as = null) {
      const { status, body } = await post(as === null ? beginOidcLogin : beginIdentity, null, as)
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body.url as string
    },
    comeBack: (returned, as = null) => post(as === null ? logInByOidc : addIdentity, returned, as),
  }
  return browser
}

/** All of it at once: signs in there as `login`, and here by that. */
export async function signInThrough(
  site: TestApp,
  provider: { visit(url: string, login: string): Promise<ReturnedInTest> },
  login: string,
  as: { access: string } | null = null,
  more: { remember?: boolean } = {},
): Promise<Answered> {
  const browser = openBrowser(site)
  const returned = await provider.visit(await browser.leave(as), login)
  return browser.comeBack({ ...returned, ...more }, as)
}
