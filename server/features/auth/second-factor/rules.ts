/** Codes of authenticator apps (RFC 6238), as every app takes them: SHA-1, six digits, 30 seconds. */
import { Secret, TOTP } from 'otpauth'

const totpOptions = { issuer: 'Reelmark', algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Clocks differ, and typing takes its time: the code before and the one after count too. */
const totpWindow = 1

/** 160 bits, as long as the hash (RFC 4226, section 4), in base32. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** What an app reads from a QR code. */
export function authenticatorUrl(secret: string, username: string): string {
  return createTotp(secret, username).toString()
}

/** The 30 seconds, counted from 1970, that a code is of; null where it is none of the three that count now. */
export function matchTotpStep(secret: string, code: string, now = Date.now()): number | null {
  // The library compares bytes, and throws where six characters are more of them.
  if (!/^[0-9]{6}$/.test(code)) return null
  const delta = createTotp(secret).validate({ token: code, timestamp: now, window: totpWindow })
  return delta === null ? null : Math.floor(now / (totpOptions.period * 1000)) + delta
}

/** What somebody typed: the code of an app, without the blank that many show within it, or anything else. */
export function readCode(typed: string): { kind: 'authenticator' | 'recovery_code'; code: string } {
  const code = typed.replace(/[\s-]/g, '')
  // A recovery code is longer. What is neither counts as a wrong code of an app: that is held back most.
  return { kind: /^[a-z\d]{10}$/i.test(code) ? 'recovery_code' : 'authenticator', code }
}

function createTotp(secret: string, label = ''): TOTP {
  return new TOTP({ ...totpOptions, label, secret: Secret.fromBase32(secret) })
}
