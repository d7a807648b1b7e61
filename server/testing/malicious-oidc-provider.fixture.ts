/** A site that vouches for people, made by hand so that each part of what it says can be a lie. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import type { Settings } from '../core/settings.ts'
import type { TestCallback } from './oidc-provider.ts'

export interface OidcTampering {
  /** Instead of the true claims of the id token; undefined leaves one out. */
  claims?: Record<string, unknown>
  /** `none`, or signed with a key that is not in its list. */
  signature?: 'none' | 'wrong key' | 'cut off'
  /** Of the token endpoint. */
  status?: number
  body?: string
  /** It takes the request, and says nothing. */
  silent?: boolean
  discovery?: Record<string, unknown> | 'silent' | 'broken'
  userinfo?: Record<string, unknown> | 'broken'
}

export interface MaliciousProvider {
  oidc: NonNullable<Settings['oidc']>
  /** What it lies about from now on. */
  tampering: OidcTampering
  /** The paths that were asked for. */
  asked: string[]
  /** What its sign-in page would send a browser back with. */
  visit(url: string): TestCallback
  close(): Promise<void>
}

export async function startMaliciousProvider(): Promise<MaliciousProvider> {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  let issuer = ''
  let nonce = ''

  async function idToken({ claims = {}, signature }: OidcTampering): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const truth = {
      iss: issuer,
      aud: 'reelmark',
      sub: 'zoe',
      nonce,
      iat: now,
      exp: now + 60,
      email: 'zoe@example.org',
    }
    const payload = JSON.parse(JSON.stringify({ ...truth, ...claims })) as Record<string, unknown>
    if (signature === 'none') return new UnsecuredJWT(payload).encode()
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(signature === 'wrong key' ? other.privateKey : own.privateKey)
    return signature === 'cut off' ? token.replace(/[^.]+$/, '') : token
  }

  const server = createServer(async (request, response) => {
    const { tampering } = tampered
    const path = new URL(request.url ?? '/', issuer).pathname
    tampered.asked.push(path)
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

  const tampered: MaliciousProvider = {
    oidc: { issuer: `${issuer}/`, clientId: 'reelmark', clientSecret: 'a secret' },
    tampering: {},
    asked: [],
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
  return tampered
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
