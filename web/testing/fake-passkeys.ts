import { vi } from 'vitest'

/** Stubs a browser that supports passkeys. `answer` is called for each request for a credential. */
export function fakePasskeys(answer: (options: CredentialRequestOptions) => Promise<unknown>): void {
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  vi.stubGlobal('navigator', Object.create(navigator, { credentials: { value: { get: answer } } }))
}

/** Returns a credential as `navigator.credentials.get` does. */
export function testCredential() {
  const bytes = () => new Uint8Array([1, 2, 3]).buffer
  return {
    id: 'AQID',
    rawId: bytes(),
    type: 'public-key',
    authenticatorAttachment: 'platform',
    response: {
      authenticatorData: bytes(),
      clientDataJSON: bytes(),
      signature: bytes(),
      userHandle: bytes(),
    },
    getClientExtensionResults: () => ({}),
  }
}
