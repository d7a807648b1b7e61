/** An OpenID Connect provider whose responses can be falsified in every part. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import type { Settings } from '../core/settings.ts'
import type { TestCallback } from './oidc-provider.ts'

export interface OidcTampering {
  /** Replaces claims of the id token; undefined removes one. */
  claims?: Record<string, unknown>
  /** No signature, one by a key that is not published, or a missing signature part. */
  signature?: 'none' | 'wrong key' | 'cut off'
  /** Status of the token endpoint. The next field is its body. */
  status?: number
  body?: string
  /** The token endpoint does not respond. */
  silent?: boolean
  discovery?: Record<string, unknown> | 'silent' | 'broken'
  userinfo?: Record<string, unknown> | 'broken'
}

export interface MaliciousProvider {
  oidc: NonNullable<Settings['oidc']>
  /** The current falsifications. */
  tampering: OidcTampering
  /** Paths of the requests so far. */
  requestedPaths: string[]
  /** Returns the parameters with which its sign-in page would send a browser back. */
  visit(url: string): TestCallback
  close(): Promise<void>
}

export async function startMaliciousProvider(): Promise<MaliciousProvider> {
  const [published, unpublished] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(published.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  let issuer = ''
  let nonce = ''

  async function idToken({ claims = {}, signature }: OidcTampering): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const trueClaims = {
      iss: issuer,
      aud: 'reelmark',
      sub: 'zoe',
      nonce,
      iat: now,
      exp: now + 60,
      email: 'zoe@example.org',
    }
    const payload = JSON.parse(JSON.stringify({ ...trueClaims, ...claims })) as Record<string, unknown>
    if (signature === 'none') return new UnsecuredJWT(payload).encode()
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(signature === 'wrong key' ? unpublished.privateKey : published.privateKey)
    return signature === 'cut off' ? token.replace(/[^.]+$/, '') : token
  }

  const server = createServer(async (request, response) => {
    const { tampering } = provider
    const path = new URL(request.url ?? '/', issuer).pathname
    provider.requestedPaths.push(path)
    if (path === '/.well-known/openid-configuration') {
      if (tampering.discovery === 'silent') return
      if (tampering.discovery === 'broken') return sendJson(response, 200, '<!doctype html>')
      return sendJson(response, 200, { ...discoveryDocument(issuer), ...tampering.discovery })
    }
    if (path === '/jwks') return sendJson(response, 200, { keys: [jwk] })
    if (path === '/userinfo') {
      return sendJson(
        response,
        200,
        tampering.userinfo === 'broken' ? '[]' : { sub: 'zoe', ...tampering.userinfo },
      )
    }
    if (path !== '/token' || tampering.silent) return
    const body = {
      access_token: 'x',
      token_type: 'bearer',
      expires_in: 60,
      id_token: await idToken(tampering),
    }
    sendJson(response, tampering.status ?? 200, tampering.body ?? body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const provider: MaliciousProvider = {
    oidc: { issuer: `${issuer}/`, clientId: 'reelmark', clientSecret: 'a secret' },
    tampering: {},
    requestedPaths: [],
    visit(url) {
      const query = new URL(url).searchParams
      nonce = query.get('nonce') ?? ''
      return { state: query.get('state') ?? '', code: 'a code' }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}

function discoveryDocument(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
