/**
 * An authenticator in software: creates passkeys and signs with them like a phone, and falsifies responses on request.
 * It takes the server's options and returns what a browser would send.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface AuthenticatorKind {
  /** Origin of the page that requests the passkey. */
  origin: string
  /** Whether it verifies the user, by face or PIN. */
  verifies: boolean
  /** Whether it counts uses. Synced passkeys do not. */
  counts: boolean
  /** Whether its passkeys are synced by a provider. */
  synced: boolean
}

/** Values that replace the true ones. */
export interface TamperOptions {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  verified?: boolean
  present?: boolean
  counter?: number
  /** Signs with another key. */
  wrongKey?: boolean
  crossOrigin?: boolean
  fmt?: string
  credentialId?: Buffer
  algorithm?: number
}

interface StoredPasskey {
  id: Buffer
  rpId: string
  userHandle: string
  key: KeyObject
  counter: number
}

interface TestCredential {
  id: string
  rawId: string
  type: 'public-key'
  authenticatorAttachment: string
  clientExtensionResults: object
  response: Record<string, unknown>
  [more: string]: unknown
}

type Options = Record<string, unknown>

export interface TestAuthenticator {
  /** Stored passkeys, oldest first. */
  passkeys: StoredPasskey[]
  /** Acts like `navigator.credentials.create`; throws if it has an excluded passkey. */
  create(options: Options, tampering?: TamperOptions): TestCredential
  /** Acts like `navigator.credentials.get`, with an allowed passkey or the newest of the site. */
  get(options: Options, tampering?: TamperOptions): TestCredential
}

export function createAuthenticator(kind: Partial<AuthenticatorKind> = {}): TestAuthenticator {
  const { origin = 'http://localhost:3000', verifies = true, counts = true, synced = false } = kind
  const passkeys: StoredPasskey[] = []
  const listed = (list: unknown) => (list as { id: string }[] | undefined) ?? []
  const has = (list: unknown, passkey: StoredPasskey) =>
    listed(list).some(({ id }) => id === passkey.id.toString('base64url'))

  const clientData = (type: string, options: Options, tampering: TamperOptions) =>
    Buffer.from(
      JSON.stringify({
        type: tampering.type ?? type,
        challenge: tampering.challenge ?? options.challenge,
        origin: tampering.origin ?? origin,
        crossOrigin: tampering.crossOrigin ?? false,
        ...(tampering.crossOrigin && { topOrigin: 'https://frame.example' }),
      }),
    )
  const authenticatorData = (passkey: StoredPasskey, tampering: TamperOptions, attested?: Buffer) => {
    const flags =
      (tampering.present === false ? 0 : 0x01) |
      ((tampering.verified ?? verifies) ? 0x04 : 0) |
      (synced ? 0x18 : 0) |
      (attested === undefined ? 0 : 0x40)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(tampering.counter ?? passkey.counter)
    const site = sha256(Buffer.from(tampering.rpId ?? passkey.rpId))
    return Buffer.concat([site, Buffer.of(flags), counter, attested ?? Buffer.of()])
  }
  const toCredential = (id: Buffer, response: Record<string, unknown>): TestCredential => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
    response,
  })

  return {
    passkeys,
    create(options, tampering = {}) {
      const rp = options.rp as { id: string }
      const user = options.user as { id: string }
      const excluded = passkeys.find((passkey) => has(options.excludeCredentials, passkey))
      if (excluded !== undefined) throw new DOMException('An excluded passkey exists.', 'InvalidStateError')
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const id = tampering.credentialId ?? randomBytes(32)
      const passkey = { id, rpId: rp.id, userHandle: user.id, key: privateKey, counter: counts ? 1 : 0 }
      passkeys.push(passkey)
      const idLength = Buffer.alloc(2)
      idLength.writeUInt16BE(id.length)
      const attested = Buffer.concat([
        Buffer.alloc(16),
        idLength,
        id,
        coseKey(publicKey, tampering.algorithm ?? -7),
      ])
      const attestation = new Map<string, Cbor>([
        ['fmt', tampering.fmt ?? 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(passkey, tampering, attested)],
      ])
      return toCredential(id, {
        clientDataJSON: clientData('webauthn.create', options, tampering).toString('base64url'),
        attestationObject: encodeCbor(attestation).toString('base64url'),
        transports: ['internal', 'hybrid'],
      })
    },
    get(options, tampering = {}) {
      const rpId = options.rpId as string
      const allowed = listed(options.allowCredentials)
      const passkey = passkeys.findLast(
        (stored) => stored.rpId === rpId && (allowed.length === 0 || has(allowed, stored)),
      )
      if (passkey === undefined) throw new DOMException('No matching passkey exists.', 'NotAllowedError')
      if (counts) passkey.counter += 1
      const data = authenticatorData(passkey, tampering)
      const client = clientData('webauthn.get', options, tampering)
      const key = tampering.wrongKey
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
        : passkey.key
      return toCredential(passkey.id, {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), key).toString('base64url'),
        userHandle: passkey.userHandle,
      })
    },
  }
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Encodes an elliptic curve key as authenticators do (RFC 9053). */
function coseKey(key: KeyObject, algorithm: number): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' }) as { x?: string; y?: string }
  return encodeCbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, algorithm],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

type Cbor = number | string | Buffer | Cbor[] | Map<string | number, Cbor>

/** Encodes the part of CBOR (RFC 8949) that authenticators use. */
function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)])
  const entries = [...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)])
  return Buffer.concat([head(5, value.size), ...entries])
}

function head(major: number, argument: number): Buffer {
  const type = major << 5
  if (argument < 24) return Buffer.of(type | argument)
  if (argument < 0x100) return Buffer.of(type | 24, argument)
  return Buffer.of(type | 25, argument >> 8, argument & 0xff)
}
