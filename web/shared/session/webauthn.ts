/** Creates and uses passkeys in the browser, and explains the browser's errors. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => {}

/**
 * Returns whether the browser supports passkeys. True on the server and during hydration: almost every browser does,
 * so the layout does not shift.
 */
export function usePasskeySupport(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => typeof globalThis.PublicKeyCredential === 'function',
    () => true,
  )
}

/** Asks the browser for a new passkey. `options` and the result are JSON, as in the contract. */
export async function createPasskey(options: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return { ...(await startRegistration({ optionsJSON })) }
}

/** Asks the browser for proof of an existing passkey. */
export async function getPasskeyAssertion(
  options: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ...(await startAuthentication({ optionsJSON })) }
}

/** Returns the text for an error of the browser's passkey dialog; null for other errors. */
export function passkeyErrorText(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const names = [error.name, error.cause instanceof Error ? error.cause.name : '']
  if (names.includes('InvalidStateError')) return 'You already have a passkey on this device.'
  if (names.includes('NotAllowedError') || names.includes('AbortError'))
    return 'Cancelled or timed out. Try again.'
  if (names.includes('NotSupportedError') || names.includes('ConstraintError'))
    return "This device doesn't support this type of passkey."
  if (names.includes('SecurityError')) return "Your browser doesn't allow passkeys on this site."
  return null
}

/** Returns whether the user dismissed the browser's dialog, or another request replaced it: no error to show. */
export function isPasskeyCancelled(error: unknown): boolean {
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)
}
