/** Codes of authenticator apps (RFC 6238) with the parameters every app supports: SHA-1, six digits, 30 seconds. */
import { Secret, TOTP } from 'otpauth'

const totpOptions = { issuer: 'Reelmark', algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Accepts the previous and the next code too, because clocks differ and typing takes time. */
const totpWindow = 1

/** Creates a secret of 160 bits, as long as the hash (RFC 4226, section 4), in base32. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** Returns the URL that apps read from a QR code. */
export function authenticatorUrl(secret: string, username: string): string {
  return createTotp(secret, username).toString()
}

/** Returns the time step of a code, in 30 seconds since 1970, or null if the code is not valid now. */
export function matchTotpStep(secret: string, code: string, now = Date.now()): number | null {
  // The library compares bytes, and throws for six characters of more than one byte.
  if (!/^[0-9]{6}$/.test(code)) return null
  const delta = createTotp(secret).validate({ token: code, timestamp: now, window: totpWindow })
  return delta === null ? null : Math.floor(now / (totpOptions.period * 1000)) + delta
}

/**
 * Normalises an entered code, removing blanks and dashes, and returns whether it is one of an app or a recovery code.
 */
export function readCode(typed: string): { kind: 'authenticator' | 'recovery_code'; code: string } {
  const code = typed.replace(/[\s-]/g, '')
  // Recovery codes are longer. Anything else counts as a wrong code of an app, which has the stricter limit.
  return { kind: /^[a-z\d]{10}$/i.test(code) ? 'recovery_code' : 'authenticator', code }
}

function createTotp(secret: string, label = ''): TOTP {
  return new TOTP({ ...totpOptions, label, secret: Secret.fromBase32(secret) })
}
