/**
 * What is remembered while the browser is at the other site to sign in: why it went there, and where it goes on. In
 * this tab's storage; without it (storage forbidden) one is signed in all the same, and comes to one's profile.
 */

export interface OidcRedirectState {
  /** `link`: adds the sign-in to the account that one is in. */
  intent: 'login' | 'link'
  redirect?: string | undefined
  remember: boolean
}

const storageKey = 'oidc'

export function saveOidcRedirectState(redirectState: OidcRedirectState): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(redirectState))
  } catch {
    // As said above.
  }
}

/** What was remembered, once; null where nothing readable is. */
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
