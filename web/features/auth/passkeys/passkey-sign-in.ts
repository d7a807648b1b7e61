/**
 * Requests a passkey from the browser. The library is loaded when it is first needed, never with the page. Browsers
 * allow one request at a time, and a new one cancels the previous one.
 */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { beginPasskeySignIn } from '../accounts/sign-in-methods.ts'

/** Returns whether the browser can suggest passkeys in a field (`autocomplete="… webauthn"`). */
export async function isPasskeyAutofillSupported(): Promise<boolean> {
  try {
    return (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()) === true
  } catch {
    return false
  }
}

interface PasskeyRequest {
  /** The ticket of a login whose second factor the passkey is. */
  ticket?: string
  /** Offers passkeys among the field's suggestions instead of a dialog. */
  autofill?: boolean
  /** Cancels the request. */
  signal?: AbortSignal
}

/**
 * Returns the input of `signInWithPasskey` for the passkey that the user chose.
 * @throws CallError if the server refused the request; otherwise the browser's error (see `isPasskeyCancelled`).
 */
export async function requestPasskey({ ticket, autofill = false, signal }: PasskeyRequest) {
  const [{ startAuthentication, WebAuthnAbortService }, request] = await Promise.all([
    import('@simplewebauthn/browser'),
    beginPasskeySignIn(ticket, signal),
  ])
  signal?.throwIfAborted()
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  signal?.addEventListener('abort', cancel)
  try {
    const credential = await startAuthentication({
      optionsJSON: request.options as unknown as PublicKeyCredentialRequestOptionsJSON,
      useBrowserAutofill: autofill,
    })
    return { ticket: request.ticket, credential: credential as unknown as Record<string, unknown> }
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}
