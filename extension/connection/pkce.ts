/** Proof Key for Code Exchange (RFC 7636): only the extension that asked for a code can exchange it. */

/** Returns 256 random bits as text. */
export function createSecret(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)))
}

/** Returns the challenge of a verifier, by the method S256. */
export async function createChallenge(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return encodeBase64Url(new Uint8Array(hash))
}

function encodeBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
