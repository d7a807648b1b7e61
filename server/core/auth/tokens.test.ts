import { createSecretKey, randomBytes } from 'node:crypto'
import { decodeJwt, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { openCorpus } from '../../testing/corpora.ts'
import {
  decodeRefreshToken,
  encodeRefreshToken,
  newRefreshSecret,
  nextRefreshSecret,
  signAccessToken,
  tokenOptions,
  verifyAccessToken,
  verifySigned,
} from './tokens.ts'

const key = createSecretKey(randomBytes(32))
const now = 1_795_000_000
const terms = tokenOptions(key, now)
const claims = { user_id: 42, session_id: 7 }
const base = {
  iss: terms.issuer,
  aud: terms.audience,
  sub: '42',
  sid: '7',
  token_type: 'access',
  iat: now,
  exp: now + 900,
}
const forgeToken = (payload: object, header: object = {}) =>
  new SignJWT(payload as Record<string, unknown>)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...header })
    .sign(key)
const accepts = (token: string, at = terms) =>
  verifyAccessToken(token, at).then(
    () => true,
    () => false,
  )

describe('an access token', () => {
  test('says whose it is and of which session, for 15 minutes', async () => {
    const token = await signAccessToken(claims, terms)
    expect(await verifyAccessToken(token, terms)).toEqual(claims)
    expect(decodeJwt(token)).toEqual(base)
    expect(await accepts(token, { ...terms, now: now + 899 })).toBe(true)
    expect(await accepts(token, { ...terms, now: now + 900 })).toBe(false)
    expect(await accepts(token, { ...terms, key: createSecretKey(randomBytes(32)) })).toBe(false)
  })

  test('signed by hand the same way is accepted: what follows fails for its own reason', async () => {
    expect(await accepts(await forgeToken(base))).toBe(true)
  })

  test.each<[string, object]>([
    ['another issuer', { iss: 'somebody' }],
    ['another audience', { aud: 'another' }],
    ['another type', { token_type: 'refresh' }],
    ['no type', { token_type: undefined }],
    ['no session', { sid: undefined }],
    ['a session that is a number', { sid: 7 }],
    ['a session that is no id', { sid: '7 or 1=1' }],
    ['no user', { sub: undefined }],
    ['no issue time', { iat: undefined }],
    ['no end', { exp: undefined }],
    ['a longer life', { exp: now + 901 }],
    ['an issue time in the future', { iat: now + 61, exp: now + 900 }],
    ['fractions of seconds', { iat: now + 0.5 }],
    ['not valid yet', { nbf: now + 10 }],
  ])('with %s is refused', async (_, change) => {
    expect(await accepts(await forgeToken({ ...base, ...change }))).toBe(false)
  })

  test.each(['at+jwt', 'dpop+jwt', undefined])('with the header type %s is refused', async (typ) => {
    expect(await accepts(await forgeToken(base, { typ }))).toBe(false)
  })

  test('altered in its last, unused bits is refused, although the bytes are the same', async () => {
    const token = await signAccessToken(claims, terms)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(token.at(-1) ?? '')
    const altered = token.slice(0, -1) + alphabet[last ^ 1]
    expect(Buffer.from(altered.split('.')[2] ?? '', 'base64url')).toEqual(
      Buffer.from(token.split('.')[2] ?? '', 'base64url'),
    )
    expect(await accepts(altered)).toBe(false)
  })
})

describe('a refresh token', () => {
  const token = { session_id: 7, secret: newRefreshSecret() }

  test('is opened by whoever wrote it, and by nobody else', () => {
    const text = encodeRefreshToken(key, token)
    expect(text).toHaveLength(75)
    expect(decodeRefreshToken(key, text)).toEqual(token)
    expect(decodeRefreshToken(createSecretKey(randomBytes(32)), text)).toBeNull()
  })

  test('with any character changed is not ours', () => {
    const text = encodeRefreshToken(key, token)
    for (let at = 0; at < text.length; at++) {
      const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
      expect(decodeRefreshToken(key, changed)).toBeNull()
    }
  })

  test('has one successor, which depends on the key, the session and the token', () => {
    const next = nextRefreshSecret(key, token)
    expect(nextRefreshSecret(key, token)).toEqual(next)
    for (const other of [
      nextRefreshSecret(createSecretKey(randomBytes(32)), token),
      nextRefreshSecret(key, { ...token, session_id: 8 }),
      nextRefreshSecret(key, { ...token, secret: newRefreshSecret() }),
    ])
      expect(other).not.toEqual(next)
  })
})

interface OwnCase {
  name: string
  token: string
  expect: string
  secret?: string
  publicKeyPem?: string
  clock: number
}
interface WycheproofCase {
  comment: string
  tcId: number
  jws: string
  expect: string
  key: { kty: string; k?: string }
}

const corpus = openCorpus('security/jwt')
describe.skipIf(!corpus.exists)('tokens that other people forged', () => {
  const own = corpus.rows<OwnCase>('own.jsonl')
  const secret = own.find((each) => each.secret !== undefined)?.secret ?? ''

  test.each(own.map((each) => [each.name.slice(0, 60), each] as const))('%s', async (_, each) => {
    const corpusKey = createSecretKey(Buffer.from(each.secret ?? secret))
    const answer = await verifySigned(each.token, {
      key: corpusKey,
      issuer: 'bm',
      audience: 'bm-api',
      now: each.clock,
    }).catch(() => null)
    if (each.expect === 'accept_without_moderator_rights') expect(answer?.user_id).toBe(42)
    // 'accept_if_es256' and 'reject_or_revocable' leave it to us: we refuse.
    else if (each.expect !== 'accept_or_reject') expect(answer).toBeNull()
  })

  const wycheproof = corpus.rows<WycheproofCase>('wycheproof_jws.jsonl')
  test.each(wycheproof.map((each) => [`${each.tcId} ${each.comment}`, each] as const))(
    'Wycheproof %s',
    async (_, { tcId, jws, expect: wanted, key: jwk }) => {
      const material = jwk.kty === 'oct' ? Buffer.from(jwk.k ?? '', 'base64url') : JSON.stringify(jwk)
      const error = await verifySigned(jws, { ...terms, key: createSecretKey(Buffer.from(material)) }).catch(
        (error: Error & { code?: string }) => error,
      )
      // None of them is a token of ours, so all fail; one with a good HS256 signature fails for what it says only.
      expect(error).toBeInstanceOf(Error)
      const isWellSigned = /^ERR_JWT_/.test((error as { code?: string }).code ?? '')
      const isGood = (wanted === 'accept_signature' && isCanonical(jws)) || tcId === rightlySigned
      const isOurs = jwk.kty === 'oct' && isGood
      expect(isWellSigned).toBe(isOurs)
    },
  )
})

/** To be refused by its label, but plainly encoded and rightly signed: it fails for not being JSON. */
const rightlySigned = 370

/** Some rows hold stray characters that lenient decoders pass over; we refuse those. */
function isCanonical(jws: string): boolean {
  return jws.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
}
