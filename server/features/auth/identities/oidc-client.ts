/** Client of the OpenID Connect provider: openid-client, with all requests sent through the outbound client. */
import type { FastifyBaseLogger } from 'fastify'
import * as oidc from 'openid-client'
import { ApiError } from '../../../core/http/errors.ts'
import { createOutbound, type Sender } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import type { Settings } from '../../../core/settings.ts'
import { type OidcIdentity, readClaims } from './rules.ts'

/** Timeout of each request to the provider. */
const requestTimeoutSeconds = 5
const maxBytes = 1024 * 1024
const refreshAfterMs = 60 * 60 * 1000
/** If the discovery document cannot be refreshed, the cached one is used for this time before the next attempt. */
const retryAfterMs = 60 * 1000

/** Values of a sign-in in progress that the provider must return. */
interface SignInSecrets {
  state: string
  nonce: string
  /** PKCE, RFC 7636. */
  verifier: string
}

/** Parameters with which the provider redirects the browser back. */
interface CallbackParameters {
  state: string
  code: string
  iss?: string
}

export interface OidcClient {
  /** The host of the provider, under which users know it. */
  name: string
  /**
   * Loads the provider's discovery document if it is not cached.
   * @throws ApiError('unavailable')
   */
  ready(): Promise<void>
  /** Returns the URL to which the browser is redirected to sign in. */
  authorizationUrl(secrets: SignInSecrets): Promise<string>
  /**
   * Exchanges a code and returns the user's identity. `profile` requests more from the userinfo endpoint if the id
   * token had no e-mail address.
   * @throws ApiError('sign-in-refused') if the response is not valid, ApiError('unavailable')
   */
  identify(
    returned: CallbackParameters,
    secrets: SignInSecrets,
  ): Promise<OidcIdentity & { profile(): Promise<OidcIdentity> }>
  close(): Promise<void>
}

/** Opens the client of the configured provider, or returns null if no provider is configured. */
export function openOidcClient(settings: Settings, log: FastifyBaseLogger): OidcClient | null {
  if (settings.oidc === null) return null
  const issuer = new URL(settings.oidc.issuer)
  const redirectUri = `${settings.publicUrl}/login/oidc`
  // A separate outbound client: links that users enter must not reach the address allowed for the provider.
  const outbound = createOutbound({
    allow: [
      ...settings.outboundAllow,
      `${issuer.hostname}:${issuer.port || (issuer.protocol === 'https:' ? 443 : 80)}`,
    ],
    ...(settings.outboundProxy !== null && { proxy: settings.outboundProxy }),
  })
  const loadConfiguration = cacheConfiguration(() => discover(settings.oidc, outbound), log)

  /** Logs an error of the library and converts it: the provider is unavailable, or its response is not valid. */
  function toApiError(error: unknown): ApiError {
    const isUnavailable = errorCauses(error).some(
      (cause) => cause instanceof OutboundError || (cause instanceof Response && cause.status >= 500),
    )
    log.warn({ err: error }, 'sign-in with the identity provider failed')
    return isUnavailable
      ? new ApiError('unavailable', {}, requestTimeoutSeconds)
      : new ApiError('sign-in-refused')
  }

  function readIdentity(claims: Record<string, unknown>): OidcIdentity {
    // The library accepts Microsoft's issuers of any tenant, but subjects are unique only within one.
    const iss = String(claims.iss)
    const isConfiguredIssuer = URL.canParse(iss) && new URL(iss).href === issuer.href
    const readDocument = isConfiguredIssuer ? readClaims(issuer.href, claims) : null
    if (readDocument === null) throw toApiError(new Error('the id token has another issuer or no subject'))
    return readDocument
  }

  return {
    name: issuer.host,
    ready: async () => void (await loadConfiguration()),
    async authorizationUrl({ state, nonce, verifier }) {
      const url = oidc.buildAuthorizationUrl(await loadConfiguration(), {
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
      const configuration = await loadConfiguration()
      const url = new URL(redirectUri)
      for (const [name, value] of Object.entries(returned)) url.searchParams.set(name, value)
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      const tokens = await oidc.authorizationCodeGrant(configuration, url, checks).catch((error: unknown) => {
        throw toApiError(error)
      })
      const claims = { ...tokens.claims() }
      const identity = readIdentity(claims)
      return {
        ...identity,
        async profile() {
          if (identity.email !== null || configuration.serverMetadata().userinfo_endpoint === undefined)
            return identity
          const userinfo = await oidc
            .fetchUserInfo(configuration, tokens.access_token, identity.subject)
            .catch((error: unknown) => {
              throw toApiError(error)
            })
          return readIdentity({ ...claims, ...userinfo, iss: claims.iss })
        },
      }
    },
    close: () => outbound.close(),
  }
}

async function discover(settings: Settings['oidc'], outbound: Sender): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = settings as NonNullable<Settings['oidc']>
  const configuration = await oidc.discovery(
    new URL(issuer),
    clientId,
    undefined,
    clientAuthentication(clientSecret),
    {
      [oidc.customFetch]: outboundFetch(outbound),
      timeout: requestTimeoutSeconds,
      execute: [
        // Without this, the library relies on TLS instead of the signature (OpenID Connect Core 1.0, 3.1.3.7, 6).
        oidc.enableNonRepudiationChecks,
        ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
      ],
    },
  )
  const { authorization_endpoint, token_endpoint, jwks_uri } = configuration.serverMetadata()
  const endpoints = [authorization_endpoint, token_endpoint, jwks_uri]
  if (!endpoints.every((url) => typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url))) {
    throw new Error('the discovery document lacks an endpoint')
  }
  return configuration
}

/**
 * Caches the result of `read` for an hour and shares concurrent reads. If reading fails, the cached result stays in
 * use.
 */
function cacheConfiguration(readDocument: () => Promise<oidc.Configuration>, log: FastifyBaseLogger) {
  let cached: { configuration: oidc.Configuration; until: number } | null = null
  let pending: Promise<oidc.Configuration> | null = null
  return async () => {
    if (cached !== null && cached.until > Date.now()) return cached.configuration
    pending ??= readDocument().finally(() => {
      pending = null
    })
    try {
      cached = { configuration: await pending, until: Date.now() + refreshAfterMs }
    } catch (error) {
      log.warn({ err: error }, 'the discovery document of the identity provider could not be read')
      if (cached === null) throw new ApiError('unavailable', {}, requestTimeoutSeconds)
      cached.until = Date.now() + retryAfterMs
    }
    return cached.configuration
  }
}

/** Uses the method the provider supports, or the header if it names none (OpenID Connect Discovery 1.0, section 3). */
function clientAuthentication(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (configuration, ...rest) => {
    const methods = configuration.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(configuration, ...rest)
  }
}

function outboundFetch(outbound: Sender): oidc.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const response = await outbound.send(url, {
      method,
      headers,
      maxBytes,
      // The library sends forms only.
      ...(body != null && { body: String(body) }),
      ...(signal && { signal }),
    })
    const type = response.headers['content-type']
    const isEmpty = response.status === 204 || response.status === 304
    return new Response(isEmpty ? null : new Uint8Array(response.body), {
      status: response.status,
      ...(typeof type === 'string' && { headers: { 'content-type': type } }),
    })
  }
}

function errorCauses(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (
    let current = error;
    current != null && !causes.includes(current);
    current = (current as { cause?: unknown }).cause
  ) {
    causes.push(current)
  }
  return causes
}
