/** Whether a passkey's answer is right. WebAuthn itself is @simplewebauthn/server's; here is what we hold it to. */
import { generateKeyPairSync } from 'node:crypto'
import type { Passkey } from '@reelmark/contract/passkeys.ts'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { COSEALG, cose, decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers'

/** EdDSA, ES256, RS256: what every authenticator has one of. */
const algorithms = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256]

/** What a credential is signed for: our host name and origin, as PUBLIC_URL has them. */
export interface RelyingParty {
  rpID: string
  origin: string
}

export function relyingParty(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl)
  return { rpID: hostname, origin }
}

export interface KnownCredential {
  credential_id: Buffer
  transports: string[]
}

/** `options` for navigator.credentials.get. Without `allowed`, whatever the authenticator has for this site. */
export function loginOptions(
  { rpID }: RelyingParty,
  { allowed, verified }: { allowed?: KnownCredential[]; verified: boolean },
) {
  return generateAuthenticationOptions({
    rpID,
    userVerification: verified ? 'required' : 'preferred',
    ...(allowed && { allowCredentials: allowed.map(toDescriptor) }),
  })
}

/**
 * `options` for navigator.credentials.create. Residence and verification are required, so that each passkey is a whole
 * way in, with nothing typed: it may be the only one that is left.
 */
export function newPasskeyOptions(
  { rpID }: RelyingParty,
  {
    username,
    handle,
    known,
  }: { username: string; handle: Uint8Array<ArrayBuffer>; known: KnownCredential[] },
) {
  return generateRegistrationOptions({
    rpName: 'Reelmark',
    rpID,
    userName: username,
    userDisplayName: username,
    userID: handle,
    attestationType: 'none',
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
type Transport = (typeof knownTransports)[number]

function toDescriptor({ credential_id, transports }: KnownCredential) {
  return { id: credential_id.toString('base64url'), transports: transports as Transport[] }
}

/** The credential's own id, as bytes; null where it cannot be one. */
export function readCredentialId({ id }: Record<string, unknown>): Buffer | null {
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]+$/.test(id)) return null
  const bytes = Buffer.from(id, 'base64url')
  return bytes.length >= 1 && bytes.length <= 1023 ? bytes : null
}

export interface StoredKey {
  public_key: Buffer
  counter: number
}

/** What the account has of a passkey that was used. */
export interface PasskeyUse {
  counter: number
  is_synced: boolean
}

/**
 * Whether a passkey signed this challenge for this site; null where not, for whatever reason. Where there is no such
 * passkey, a made-up one is tried, which takes as long.
 */
export async function verifyLogin(
  credential: Record<string, unknown>,
  kept: StoredKey | null,
  { site, challenge, verified }: { site: RelyingParty; challenge: string; verified: boolean },
): Promise<PasskeyUse | null> {
  const response = readTexts(credential, ['clientDataJSON', 'authenticatorData', 'signature'])
  if (response === null) return null
  const { public_key, counter } = kept ?? { public_key: dummyKey, counter: 0 }
  try {
    const { verified: isRight, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpID,
      requireUserVerification: verified,
      credential: { id: response.id, publicKey: new Uint8Array(public_key), counter },
    })
    if (!isRight || kept === null) return null
    return { counter: authenticationInfo.newCounter, is_synced: authenticationInfo.credentialBackedUp }
  } catch {
    // It throws for all that is wrong with an answer, and for what is none as it happens to break.
    return null
  }
}

export interface NewPasskey extends StoredKey, KnownCredential, Pick<Passkey, 'is_synced'> {}

/** The passkey that an authenticator made; null where its answer is not right. */
export async function verifyNewPasskey(
  credential: Record<string, unknown>,
  { site, challenge }: { site: RelyingParty; challenge: string },
): Promise<NewPasskey | null> {
  const response = readTexts(credential, ['clientDataJSON', 'attestationObject'])
  if (response === null) return null
  try {
    if (!isWithoutAttestation(response.response.attestationObject ?? '')) return null
    const { verified, registrationInfo: created } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpID,
      supportedAlgorithmIDs: algorithms,
    })
    const id = verified ? readCredentialId({ id: created.credential.id }) : null
    if (id === null || !verified) return null
    return {
      credential_id: id,
      public_key: Buffer.from(created.credential.publicKey),
      counter: created.credential.counter,
      is_synced: created.credentialBackedUp,
      transports: readTransports(credential),
    }
  } catch {
    return null
  }
}

/**
 * We ask for no attestation, and browsers take it out, but for keys that vouch for themselves. Others are refused
 * before the library sees them: it would fetch lists of revoked certificates from wherever the certificate says.
 */
function isWithoutAttestation(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const fmt = decoded.get('fmt')
  return fmt === 'none' || (fmt === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

/** The parts of a credential that we read, which are texts; null where one is not. */
function readTexts(credential: Record<string, unknown>, names: string[]) {
  const { id, rawId, type } = credential
  const given = credential.response as Record<string, unknown>
  const response: Record<string, string> = {}
  for (const name of names) {
    const text = given[name]
    if (typeof text !== 'string' || !/^[A-Za-z0-9_-]+={0,2}$/.test(text)) return null
    response[name] = text
  }
  return typeof id === 'string' ? { id, rawId, type, clientExtensionResults: {}, response } : null
}

function readTransports(credential: Record<string, unknown>): Transport[] {
  const { transports } = credential.response as { transports?: unknown }
  return Array.isArray(transports) ? knownTransports.filter((known) => transports.includes(known)) : []
}

/** A key whose other half nobody has. */
const dummyKey = (() => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' }) as { x?: string; y?: string }
  const { COSEKEYS, COSEKTY, COSECRV } = cose
  return Buffer.from(
    isoCBOR.encode(
      new Map<number, number | Uint8Array<ArrayBuffer>>([
        [COSEKEYS.kty, COSEKTY.EC2],
        [COSEKEYS.alg, COSEALG.ES256],
        [COSEKEYS.crv, COSECRV.P256],
        [COSEKEYS.x, isoBase64URL.toBuffer(x)],
        [COSEKEYS.y, isoBase64URL.toBuffer(y)],
      ]),
    ),
  )
})()

/**
 * The ticket of a second step is two: its own, and that of the half-done login, which the browser had already. In one
 * text, because the database has hashes of both and could not give the other.
 */
export function splitTickets(text: string): { own: string; login: string | null } {
  const [own = '', login = null] = text.split('.', 2)
  return { own, login }
}
