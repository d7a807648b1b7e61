/**
 * The two tokens of a session (docs/behaviour.md, Accounts and sessions). Pure: keys and clock are passed in.
 * Access: a JWT of 15 minutes, checked against the database on each request. Refresh: opaque, used once.
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
/** Far above what we sign, far below what would cost anything to look at. */
const maxTokenLength = 2000
/** Seconds by which the clock of the machine that signed may be ahead of ours. */
const clockSkew = 60
const idPattern = /^[1-9]\d{0,15}$/

/** What our own tokens are signed and checked by. */
export function tokenOptions(key: KeyObject, now = Math.floor(Date.now() / 1000)): TokenOptions {
  return { key, issuer, audience, now }
}

export function signAccessToken({ user_id, session_id }: AccessClaims, terms: TokenOptions): Promise<string> {
  return new SignJWT({ token_type: 'access', sid: String(session_id) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(terms.issuer)
    .setAudience(terms.audience)
    .setSubject(String(user_id))
    .setIssuedAt(terms.now)
    .setExpirationTime(terms.now + limits.accessTokenSeconds)
    .sign(terms.key)
}

/** Whose token this is, and of which session. Throws for every token that is not one of ours and still valid. */
export async function verifyAccessToken(token: string, terms: TokenOptions): Promise<AccessClaims> {
  const { user_id, payload } = await verifySigned(token, terms)
  return { user_id, session_id: readId(payload.sid) }
}

/**
 * All that can be said of an access token but its session: written canonically, HS256 with our key, for us and by us,
 * of type access, not expired, not valid for longer than we sign for (jose alone takes an `exp` of 9e99, and lenient
 * base64 lets an altered text verify).
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
  if (iat > now + clockSkew || exp - iat > limits.accessTokenSeconds) throw new Error('valid for too long')
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

/** A refresh token, opened: whose session it is of, and the 256 bits whose hash the session keeps. */
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
 * The secret that follows a used one. Derived, so that two tabs refreshing at once get the same answer although no
 * token is kept anywhere.
 */
export function nextRefreshSecret(key: KeyObject, { session_id, secret }: RefreshToken): Buffer {
  return createHmac('sha256', key).update(`successor:${session_id}:`).update(secret).digest()
}

/** 75 characters: session id, secret, and a seal by which we know our own tokens again when they are long used. */
export function encodeRefreshToken(key: KeyObject, { session_id, secret }: RefreshToken): string {
  const body = Buffer.alloc(idBytes + secretBytes)
  body.writeBigUInt64BE(BigInt(session_id))
  secret.copy(body, idBytes)
  return Buffer.concat([body, mac(key, body)]).toString('base64url')
}

/** Null for whatever we did not issue: only a token of ours, used again, may end a session. */
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
