/** The other site, which vouches for who somebody is: OpenID Connect by openid-client, through our guarded way out. */
import type { FastifyBaseLogger } from 'fastify'
import * as oidc from 'openid-client'
import { ApiError } from '../../../core/http/errors.ts'
import { createOutbound, type Sender } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import type { Settings } from '../../../core/settings.ts'
import { type OidcIdentity, readClaims } from './rules.ts'

/** Seconds for each request to the other site. */
const requestTimeoutSeconds = 5
const maxBytes = 1024 * 1024
const refreshAfterMs = 60 * 60 * 1000
/** Where the site could not be read anew, what is known of it is good for so long before that is tried again. */
const retryAfterMs = 60 * 1000

/** What a sign-in under way must remember, and what the other site must say back. */
interface SignInSecrets {
  state: string
  nonce: string
  /** PKCE, RFC 7636. */
  verifier: string
}

/** What the other site sent the browser back with. */
interface CallbackParameters {
  state: string
  code: string
  iss?: string
}

export interface OidcClient {
  /** Its host, which is what people know it by. */
  name: string
  /**
   * Makes sure that what must be known of it is known.
   * @throws ApiError('unavailable')
   */
  ready(): Promise<void>
  /** Where a browser goes to sign in there. */
  authorizationUrl(secrets: SignInSecrets): Promise<string>
  /**
   * Who came back with a code. `profile` asks the site for more of them, where no e-mail came with that.
   * @throws ApiError('sign-in-refused') where anything about it is wrong; ApiError('unavailable').
   */
  identify(
    returned: CallbackParameters,
    secrets: SignInSecrets,
  ): Promise<OidcIdentity & { profile(): Promise<OidcIdentity> }>
  close(): Promise<void>
}

/** Null where the operator named none. */
export function openOidcClient(settings: Settings, log: FastifyBaseLogger): OidcClient | null {
  if (settings.oidc === null) return null
  const issuer = new URL(settings.oidc.issuer)
  const redirectUri = `${settings.publicUrl}/login/oidc`
  // Its own: where the operator's word lets this go, links that people paste must not lead.
  const outbound = createOutbound({
    allow: [
      ...settings.outboundAllow,
      `${issuer.hostname}:${issuer.port || (issuer.protocol === 'https:' ? 443 : 80)}`,
    ],
    ...(settings.outboundProxy !== null && { proxy: settings.outboundProxy }),
  })
  const configuration = cacheConfiguration(() => discover(settings.oidc, outbound), log)

  /** An error of the library in our words: the site is out of reach, or what it says is not to be believed. */
  function explain(error: unknown): ApiError {
    const isAway = errorCauses(error).some(
      (cause) => cause instanceof OutboundError || (cause instanceof Response && cause.status >= 500),
    )
    log.warn({ err: error }, 'somebody could not be signed in through the other site')
    return isAway ? new ApiError('unavailable', {}, requestTimeoutSeconds) : new ApiError('sign-in-refused')
  }

  function vouched(claims: Record<string, unknown>): OidcIdentity {
    // The library takes Microsoft's issuers of any tenant for one; subjects are unique within one alone.
    const iss = String(claims.iss)
    const isIt = URL.canParse(iss) && new URL(iss).href === issuer.href
    const read = isIt ? readClaims(issuer.href, claims) : null
    if (read === null) throw explain(new Error('the id token is of another issuer, or names nobody'))
    return read
  }

  return {
    name: issuer.host,
    ready: async () => void (await configuration()),
    async authorizationUrl({ state, nonce, verifier }) {
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    },
    async identify(returned, { state, nonce, verifier }) {
      const site = await configuration()
      const url = new URL(redirectUri)
      for (const [name, value] of Object.entries(returned)) url.searchParams.set(name, value)
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      const tokens = await oidc.authorizationCodeGrant(site, url, checks).catch((error: unknown) => {
        throw explain(error)
      })
      const claims = { ...tokens.claims() }
      const who = vouched(claims)
      return {
        ...who,
        async profile() {
          if (who.email !== null || site.serverMetadata().userinfo_endpoint === undefined) return who
          const more = await oidc
            .fetchUserInfo(site, tokens.access_token, who.subject)
            .catch((error: unknown) => {
              throw explain(error)
            })
          return vouched({ ...claims, ...more, iss: claims.iss })
        },
      }
    },
    close: () => outbound.close(),
  }
}

async function discover(settings: Settings['oidc'], outbound: Sender): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = settings as NonNullable<Settings['oidc']>
  const site = await oidc.discovery(
    new URL(issuer),
    clientId,
    undefined,
    clientAuthentication(clientSecret),
    {
      [oidc.customFetch]: outboundFetch(outbound),
      timeout: requestTimeoutSeconds,
      execute: [
        // Without it the signature is left to TLS (OpenID Connect Core 1.0, section 3.1.3.7, 6).
        oidc.enableNonRepudiationChecks,
        ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
      ],
    },
  )
  const { authorization_endpoint, token_endpoint, jwks_uri } = site.serverMetadata()
  const named = [authorization_endpoint, token_endpoint, jwks_uri]
  if (!named.every((url) => typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url))) {
    throw new Error('it names not all of its endpoints')
  }
  return site
}

/** Reads once, at most once at a time, and anew every hour; what is known stays good while the site is away. */
function cacheConfiguration(read: () => Promise<oidc.Configuration>, log: FastifyBaseLogger) {
  let known: { site: oidc.Configuration; until: number } | null = null
  let reading: Promise<oidc.Configuration> | null = null
  return async () => {
    if (known !== null && known.until > Date.now()) return known.site
    reading ??= read().finally(() => {
      reading = null
    })
    try {
      known = { site: await reading, until: Date.now() + refreshAfterMs }
    } catch (error) {
      log.warn({ err: error }, 'the site that people sign in through could not be asked about itself')
      if (known === null) throw new ApiError('unavailable', {}, requestTimeoutSeconds)
      known.until = Date.now() + retryAfterMs
    }
    return known.site
  }
}

/** As the site says it takes a secret; in the header where it says nothing (OpenID Connect Discovery 1.0, section 3). */
function clientAuthentication(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (site, ...rest) => {
    const methods = site.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(site, ...rest)
  }
}

function outboundFetch(outbound: Sender): oidc.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const answer = await outbound.send(url, {
      method,
      headers,
      maxBytes,
      // The library sends forms, and nothing else.
      ...(body != null && { body: String(body) }),
      ...(signal && { signal }),
    })
    const type = answer.headers['content-type']
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      ...(typeof type === 'string' && { headers: { 'content-type': type } }),
    })
  }
}

function errorCauses(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let at = error; at != null && !causes.includes(at); at = (at as { cause?: unknown }).cause) {
    causes.push(at)
  }
  return causes
}
