/**
 * What this tab stores while the browser is at the identity provider: why the user went there and where to continue. If
 * the browser blocks storage, the user is signed in and sent to their profile.
 */

export interface OidcRedirectState {
  /** `link` adds the identity to the current account. */
  intent: 'login' | 'link'
  redirect?: string | undefined
  remember: boolean
}

const storageKey = 'oidc'

export function saveOidcRedirectState(redirectState: OidcRedirectState): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(redirectState))
  } catch {
    // Storage is blocked.
  }
}

/** Returns and deletes the stored state; null if nothing readable is stored. */
export function takeOidcRedirectState(): OidcRedirectState | null {
  try {
    const text = sessionStorage.getItem(storageKey)
    sessionStorage.removeItem(storageKey)
    const { intent, redirect, remember } = (JSON.parse(text ?? 'null') ?? {}) as Record<string, unknown>
    if (intent !== 'login' && intent !== 'link') return null
    return {
      intent,
      redirect: typeof redirect === 'string' ? redirect : undefined,
      remember: remember !== false,
    }
  } catch {
    return null
  }
}
