/** Verification of passkeys with @simplewebauthn/server, and the requirements of this site. */
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

/** EdDSA, ES256 and RS256. Every authenticator supports at least one of them. */
const algorithms = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256]

/** The host name and origin for which credentials are created, from PUBLIC_URL. */
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

/** Returns `options` for navigator.credentials.get. Without `allowed`, any credential for this site can be chosen. */
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
 * Returns `options` for navigator.credentials.create. Credentials must be discoverable and verify the user, so that
 * each passkey alone is enough to sign in: it may be the only sign-in method left.
 */
export function newPasskeyOptions(
  { rpID }: RelyingParty,
  {
    username,
    handle,
    existing,
  }: { username: string; handle: Uint8Array<ArrayBuffer>; existing: KnownCredential[] },
) {
  return generateRegistrationOptions({
    rpName: 'Reelmark',
    rpID,
    userName: username,
    userDisplayName: username,
    userID: handle,
    attestationType: 'none',
    excludeCredentials: existing.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
type Transport = (typeof knownTransports)[number]

function toDescriptor({ credential_id, transports }: KnownCredential) {
  return { id: credential_id.toString('base64url'), transports: transports as Transport[] }
}

/** Returns the id of a credential as bytes, or null if it is invalid. */
export function readCredentialId({ id }: Record<string, unknown>): Buffer | null {
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]+$/.test(id)) return null
  const bytes = Buffer.from(id, 'base64url')
  return bytes.length >= 1 && bytes.length <= 1023 ? bytes : null
}

export interface StoredKey {
  public_key: Buffer
  counter: number
}

/** What is recorded about the use of a passkey. */
export interface PasskeyUse {
  counter: number
  is_synced: boolean
}

/**
 * Verifies that a passkey signed a challenge for this site. Returns null if it did not, for any reason. If the passkey
 * does not exist, a dummy key is used, which takes as long.
 */
export async function verifyLogin(
  credential: Record<string, unknown>,
  storedKey: StoredKey | null,
  { rp, challenge, verified }: { rp: RelyingParty; challenge: string; verified: boolean },
): Promise<PasskeyUse | null> {
  const response = readTexts(credential, ['clientDataJSON', 'authenticatorData', 'signature'])
  if (response === null) return null
  const { public_key, counter } = storedKey ?? { public_key: dummyKey, counter: 0 }
  try {
    const { verified: isVerified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.rpID,
      requireUserVerification: verified,
      credential: { id: response.id, publicKey: new Uint8Array(public_key), counter },
    })
    if (!isVerified || storedKey === null) return null
    return { counter: authenticationInfo.newCounter, is_synced: authenticationInfo.credentialBackedUp }
  } catch {
    // The library throws on any invalid response.
    return null
  }
}

export interface NewPasskey extends StoredKey, KnownCredential, Pick<Passkey, 'is_synced'> {}

/** Verifies a new credential and returns the passkey, or null if the response is not valid. */
export async function verifyNewPasskey(
  credential: Record<string, unknown>,
  { rp, challenge }: { rp: RelyingParty; challenge: string },
): Promise<NewPasskey | null> {
  const response = readTexts(credential, ['clientDataJSON', 'attestationObject'])
  if (response === null) return null
  try {
    if (!isWithoutAttestation(response.response.attestationObject ?? '')) return null
    const { verified, registrationInfo: registration } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.rpID,
      supportedAlgorithmIDs: algorithms,
    })
    const id = verified ? readCredentialId({ id: registration.credential.id }) : null
    if (id === null || !verified) return null
    return {
      credential_id: id,
      public_key: Buffer.from(registration.credential.publicKey),
      counter: registration.credential.counter,
      is_synced: registration.credentialBackedUp,
      transports: readTransports(credential),
    }
  } catch {
    return null
  }
}

/**
 * Returns whether a credential has no attestation, as requested, or only self attestation. Others are refused before
 * the library sees them, because it would fetch revocation lists from URLs in the certificate.
 */
function isWithoutAttestation(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const fmt = decoded.get('fmt')
  return fmt === 'none' || (fmt === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

/** Returns the named fields of a credential's response, or null if one is not base64url text. */
function readTexts(credential: Record<string, unknown>, names: string[]) {
  const { id, rawId, type } = credential
  const responseFields = credential.response as Record<string, unknown>
  const response: Record<string, string> = {}
  for (const name of names) {
    const text = responseFields[name]
    if (typeof text !== 'string' || !/^[A-Za-z0-9_-]+={0,2}$/.test(text)) return null
    response[name] = text
  }
  return typeof id === 'string' ? { id, rawId, type, clientExtensionResults: {}, response } : null
}

function readTransports(credential: Record<string, unknown>): Transport[] {
  const { transports } = credential.response as { transports?: unknown }
  return Array.isArray(transports) ? knownTransports.filter((existing) => transports.includes(existing)) : []
}

/** A public key whose private key does not exist. */
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
 * Splits the ticket of a second step with a passkey: the ticket of the challenge and that of the login, which the
 * browser already had. They are sent as one text because the database stores only their hashes and cannot return them.
 */
export function splitTickets(text: string): { passkeyTicket: string; login: string | null } {
  const [passkeyTicket = '', login = null] = text.split('.', 2)
  return { passkeyTicket, login }
}
