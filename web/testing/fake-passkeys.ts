import { vi } from 'vitest'

/** Puts a browser that knows passkeys in the place of this one; `answer` is what the person does when asked for one. */
export function fakePasskeys(answer: (options: CredentialRequestOptions) => Promise<unknown>): void {
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  vi.stubGlobal('navigator', Object.create(navigator, { credentials: { value: { get: answer } } }))
}

/** A credential as `navigator.credentials.get` gives it. */
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
