/** The page for when there is no network at all: public/offline-worker.js, see docs/decisions/0015-offline.md. */

/** Has the browser keep it, once nothing else is to be done. Where it cannot, nothing else changes. */
export function registerOfflinePage(): void {
  if (!import.meta.env.PROD || navigator.serviceWorker === undefined) return
  const register = () => void navigator.serviceWorker.register(workerUrl()).catch(() => undefined)
  if (document.readyState === 'complete') whenIdle(register)
  else window.addEventListener('load', () => whenIdle(register), { once: true })
}

/** Safari has no idle callbacks. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 10_000 })
  else setTimeout(work, 2000)
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(input: string): string }
}

/** The Content-Security-Policy wants every script's address vouched for: this one, and no other. */
function workerUrl(): string {
  const url = '/offline-worker.js'
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  return (
    trustedTypes?.createPolicy('offline-page', { createScriptURL: () => url }).createScriptURL(url) ?? url
  )
}
