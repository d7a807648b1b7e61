/**
 * Access and refresh tokens of a session (docs/behaviour.md, Accounts and sessions). Pure functions: keys and time are
 * arguments. Access tokens are JWTs valid for 15 minutes and checked against the database on each request. Refresh
 * tokens are opaque and can be used once.
 */
import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type JWTPayload, jwtVerify, SignJWT } from 'jose'

export interface TokenOptions {
  key: KeyObject
  issuer: string
  audience: string
  /** Seconds since 1970. */
  now: number
}

export interface AccessClaims {
  user_id: number
  session_id: number
}

const issuer = 'reelmark'
const audience = 'reelmark-api'
/** Limits the cost of verifying; tokens of this site are much shorter. */
const maxTokenLength = 2000
/** Seconds by which the clock of the signing machine may be ahead. */
const clockSkewSeconds = 60
const idPattern = /^[1-9]\d{0,15}$/

/** Returns the options with which this site signs and verifies tokens. */
export function tokenOptions(key: KeyObject, now = Math.floor(Date.now() / 1000)): TokenOptions {
  return { key, issuer, audience, now }
}

export function signAccessToken(
  { user_id, session_id }: AccessClaims,
  options: TokenOptions,
): Promise<string> {
  return new SignJWT({ token_type: 'access', sid: String(session_id) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(options.issuer)
    .setAudience(options.audience)
    .setSubject(String(user_id))
    .setIssuedAt(options.now)
    .setExpirationTime(options.now + limits.accessTokenSeconds)
    .sign(options.key)
}

/**
 * Returns user, session and end of a valid access token, in seconds since 1970. Throws for every other token.
 */
export async function verifyAccessToken(
  token: string,
  options: TokenOptions,
): Promise<AccessClaims & { expires_at: number }> {
  const { user_id, payload } = await verifySigned(token, options)
  return { user_id, session_id: readId(payload.sid), expires_at: payload.exp as number }
}

/**
 * Verifies everything of an access token except its session: canonical encoding, HS256 signature, issuer, audience,
 * type and expiry, and that it is not valid for longer than this site signs for. jose alone accepts an `exp` of 9e99,
 * and lenient base64 decoding lets an altered text verify.
 */
export async function verifySigned(
  token: string,
  { key, issuer, audience, now }: TokenOptions,
): Promise<{ user_id: number; payload: JWTPayload }> {
  if (token.length > maxTokenLength || !token.split('.').every(isCanonical))
    throw new Error('malformed token')
  const { payload } = await jwtVerify(token, key, {
    algorithms: ['HS256'],
    typ: 'JWT',
    issuer,
    audience,
    requiredClaims: ['sub', 'iat', 'exp'],
    currentDate: new Date(now * 1000),
  })
  const { iat = Number.NaN, exp = Number.NaN } = payload
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) throw new Error('times are not whole seconds')
  if (iat > now + clockSkewSeconds || exp - iat > limits.accessTokenSeconds)
    throw new Error('valid for too long')
  if (payload.token_type !== 'access') throw new Error('not an access token')
  return { user_id: readId(payload.sub), payload }
}

function isCanonical(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part
}

function readId(claim: unknown): number {
  if (typeof claim !== 'string' || !idPattern.test(claim)) throw new Error('not an id')
  return Number(claim)
}

/** The contents of a refresh token: the id of its session and 256 random bits, whose hash the session stores. */
export interface RefreshToken {
  session_id: number
  secret: Buffer
}

const idBytes = 8
const secretBytes = 32
const macBytes = 16

export function newRefreshSecret(): Buffer {
  return randomBytes(secretBytes)
}

export function hashRefreshSecret(secret: Buffer): Buffer {
  return createHash('sha256').update(secret).digest()
}

/**
 * Returns the secret that follows a used one. It is derived instead of random, so that two tabs that refresh
 * concurrently get the same token although tokens are not stored.
 */
export function nextRefreshSecret(key: KeyObject, { session_id, secret }: RefreshToken): Buffer {
  return createHmac('sha256', key).update(`successor:${session_id}:`).update(secret).digest()
}

/**
 * Encodes a refresh token in 75 characters: session id, secret and a MAC that identifies it as a token of this site.
 */
export function encodeRefreshToken(key: KeyObject, { session_id, secret }: RefreshToken): string {
  const body = Buffer.alloc(idBytes + secretBytes)
  body.writeBigUInt64BE(BigInt(session_id))
  secret.copy(body, idBytes)
  return Buffer.concat([body, mac(key, body)]).toString('base64url')
}

/**
 * Decodes a refresh token. Returns null for a token of another origin: only reuse of a real token may end a session.
 */
export function decodeRefreshToken(key: KeyObject, token: string): RefreshToken | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== idBytes + secretBytes + macBytes || bytes.toString('base64url') !== token) return null
  const body = bytes.subarray(0, idBytes + secretBytes)
  if (!timingSafeEqual(mac(key, body), bytes.subarray(body.length))) return null
  return { session_id: Number(body.readBigUInt64BE()), secret: body.subarray(idBytes) }
}

function mac(key: KeyObject, body: Buffer): Buffer {
  return createHmac('sha256', key).update('seal:').update(body).digest().subarray(0, macBytes)
}
