/**
 * Another site that vouches for people, on loopback: the real oidc-provider, whose forms take any login name with any
 * password. Whoever logs in as `zoe` is the subject `zoe` with zoe@example.org, unless `users-list` says otherwise.
 * Start it before the tests and not in one: it warns on the console of being what it is.
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
  /** The same for a process of its own. */
  env: Record<'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET', string>
  /** Login name → what it says of them, beside and instead of what it would say. */
  users: Map<string, Record<string, unknown>>
  /** Goes where it is sent, fills in the forms as `login`, and answers what the browser comes back with. */
  visit(url: string, login: string): Promise<TestCallback>
  /** Goes there, and turns away at the form. */
  denyAccess(url: string): Promise<TestCallback>
  close(): Promise<void>
}

export async function startOidcProvider({
  publicUrl = 'http://localhost:3000',
  inIdToken = true,
  port = 0,
}: {
  /** Of the site that asks. */
  publicUrl?: string
  /** False: e-mail and names are at the userinfo endpoint alone, as the standard has it. */
  inIdToken?: boolean
  port?: number
} = {}): Promise<TestOidcProvider> {
  const people: TestOidcProvider['users'] = new Map()
  let answer: ReturnType<Provider['callback']> | null = null
  const server = createServer((request, response) => void answer?.(request, response))
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
        ...people.get(id),
      }),
    }),
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['a key of a test'] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    ttl: { AccessToken: 60, IdToken: 60, Session: 600, Interaction: 600, Grant: 600 },
  })
  answer = provider.callback()

  /** Follows what a browser would, with its cookies, until it is sent back; fills in each form by `fill`. */
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
    throw new Error('the provider sends one around in circles')
  }

  return {
    oidc: { issuer: `${issuer}/`, clientId: client.id, clientSecret: client.secret },
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
    users: people,
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

/** What of a returning browser's address the web app hands on. */
export function callbackParameters(url: string): TestCallback {
  const query = new URL(url).searchParams
  const some = ['code', 'iss', 'error'].flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : []))
  return { state: query.get('state') ?? '', ...Object.fromEntries(some) }
}

function findLink(page: string, pattern: RegExp): string {
  const found = pattern.exec(page)?.[1]
  if (found === undefined) throw new Error(`no form of the provider: ${page.slice(0, 2000)}`)
  return found.replaceAll('&amp;', '&')
}
