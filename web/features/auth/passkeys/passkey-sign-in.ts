/**
 * Asking the browser for a passkey. The library that does it comes when somebody asks for one, never with the page.
 * Browsers have one such question open at a time: a new one ends the one before.
 */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { beginPasskeySignIn } from '../accounts/sign-in-methods.ts'

/** Whether passkeys can be among what the browser suggests in a field (`autocomplete="… webauthn"`). */
export async function isPasskeyAutofillSupported(): Promise<boolean> {
  try {
    return (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()) === true
  } catch {
    return false
  }
}

interface PasskeyRequest {
  /** Of a login whose second step it is. */
  ticket?: string
  /** Waits in the field's suggestions, and shows nothing by itself. */
  autofill?: boolean
  /** Ends it. */
  signal?: AbortSignal
}

/**
 * What `signInByPasskey` needs, of the passkey that the person chose.
 * @throws CallError where the server refused to ask; what the browser says otherwise (see `isCancelled`).
 */
export async function requestPasskey({ ticket, autofill = false, signal }: PasskeyRequest) {
  const [{ startAuthentication, WebAuthnAbortService }, begun] = await Promise.all([
    import('@simplewebauthn/browser'),
    beginPasskeySignIn(ticket, signal),
  ])
  signal?.throwIfAborted()
  const end = () => WebAuthnAbortService.cancelCeremony()
  signal?.addEventListener('abort', end)
  try {
    const credential = await startAuthentication({
      optionsJSON: begun.options as unknown as PublicKeyCredentialRequestOptionsJSON,
      useBrowserAutofill: autofill,
    })
    return { ticket: begun.ticket, credential: credential as unknown as Record<string, unknown> }
  } finally {
    signal?.removeEventListener('abort', end)
  }
}
