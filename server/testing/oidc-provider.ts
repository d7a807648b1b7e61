/**
 * An OpenID Connect provider on loopback: the real oidc-provider, whose forms accept any login name and password. A
 * login as `zoe` has the subject `zoe` and zoe@example.org, unless `users` overrides it. Start it outside of tests,
 * because it warns on the console that it is not for production.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import type { Settings } from '../core/settings.ts'

export interface TestCallback {
  state: string
  code?: string
  iss?: string
  error?: string
}

export interface TestOidcProvider {
  /** For `bootApp({ settings: { oidc } })`. */
  oidc: NonNullable<Settings['oidc']>
  /** The same settings as environment variables, for a separate process. */
  env: Record<'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET', string>
  /** Claims by login name, in addition to and instead of the default ones. */
  users: Map<string, Record<string, unknown>>
  /** Opens a URL of the provider, fills in the forms as `login` and returns the callback parameters. */
  visit(url: string, login: string): Promise<TestCallback>
  /** Opens a URL of the provider, cancels and returns the callback parameters. */
  denyAccess(url: string): Promise<TestCallback>
  close(): Promise<void>
}

export async function startOidcProvider({
  publicUrl = 'http://localhost:3000',
  inIdToken = true,
  port = 0,
}: {
  /** Public URL of the site under test. */
  publicUrl?: string
  /** False: e-mail and names are only at the userinfo endpoint, as the standard describes. */
  inIdToken?: boolean
  port?: number
} = {}): Promise<TestOidcProvider> {
  const users: TestOidcProvider['users'] = new Map()
  let handle: ReturnType<Provider['callback']> | null = null
  const server = createServer((request, response) => void handle?.(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const client = { id: 'reelmark', secret: 'a secret of a hundred and more bits, in a test' }

  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${publicUrl}/login/oidc`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
    },
    conformIdTokenClaims: !inIdToken,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@example.org`,
        email_verified: true,
        preferred_username: id,
        ...users.get(id),
      }),
    }),
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['a key of a test'] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    ttl: { AccessToken: 60, IdToken: 60, Session: 600, Interaction: 600, Grant: 600 },
  })
  handle = provider.callback()

  /** Follows redirects and forms with cookies, as a browser would, until the provider redirects to the site. */
  async function walk(start: string, fill: (page: string) => { url: string; form: URLSearchParams | null }) {
    const cookies = new Map<string, string>()
    let next = { url: start, form: null as URLSearchParams | null }
    for (let step = 0; step < 20; step++) {
      const response = await fetch(next.url, {
        method: next.form === null ? 'GET' : 'POST',
        body: next.form,
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      const location = response.headers.get('location')
      const page = await response.text()
      if (location === null) {
        if (!response.ok) throw new Error(`the provider answered ${response.status}: ${page.slice(0, 2000)}`)
        next = fill(page)
      } else next = { url: new URL(location, next.url).href, form: null }
      if (next.url.startsWith(`${publicUrl}/`)) {
        return callbackParameters(next.url)
      }
    }
    throw new Error('the provider redirected too often')
  }

  return {
    oidc: { issuer: `${issuer}/`, clientId: client.id, clientSecret: client.secret },
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
    users,
    visit: (url, login) =>
      walk(url, (page) => {
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
        return {
          url: findLink(page, /action="([^"]+)"/),
          form: new URLSearchParams({ prompt, login, password: 'x' }),
        }
      }),
    denyAccess: (url) => walk(url, (page) => ({ url: findLink(page, /href="([^"]+\/abort)"/), form: null })),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Returns the callback parameters that the web app submits, from the address the browser returned to. */
function callbackParameters(url: string): TestCallback {
  const query = new URL(url).searchParams
  const optional = ['code', 'iss', 'error'].flatMap((name) =>
    query.has(name) ? [[name, query.get(name)]] : [],
  )
  return { state: query.get('state') ?? '', ...Object.fromEntries(optional) }
}

function findLink(page: string, pattern: RegExp): string {
  const found = pattern.exec(page)?.[1]
  if (found === undefined) throw new Error(`unexpected page of the provider: ${page.slice(0, 2000)}`)
  return found.replaceAll('&amp;', '&')
}
