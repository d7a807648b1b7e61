/** One's own passkeys: a new one, showing that one has one, and what the browser's refusals mean. */
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

/** Asks the browser for a new passkey; `options` and what is answered are JSON, as the contract has them. */
export async function createPasskey(options: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  return { ...(await startRegistration({ optionsJSON })) }
}

/** Asks the browser to use one of the passkeys it has. */
export async function getPasskeyAssertion(
  options: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  return { ...(await startAuthentication({ optionsJSON })) }
}

/** What the browser refused, in words; null where the failure is none of its own. */
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
