/** The page for when there is no network at all: public/offline-worker.js, see docs/decisions/0015-offline.md. */

/** Registers the service worker once the page is idle. Failures are ignored, since the site works without it. */
export function registerOfflinePage(): void {
  if (!import.meta.env.PROD || navigator.serviceWorker === undefined) return
  const register = () => void navigator.serviceWorker.register(workerUrl()).catch(() => undefined)
  if (document.readyState === 'complete') whenIdle(register)
  else window.addEventListener('load', () => whenIdle(register), { once: true })
}

/** Runs work when the browser is idle. Safari has no idle callbacks and waits two seconds. */
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

/** Returns the worker's URL as a TrustedScriptURL, which the Content-Security-Policy requires. */
function workerUrl(): string {
  const url = '/offline-worker.js'
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  return (
    trustedTypes?.createPolicy('offline-page', { createScriptURL: () => url }).createScriptURL(url) ?? url
  )
}
