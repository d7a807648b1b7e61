import { ScriptOnce } from '@tanstack/react-router'

/**
 * Sets `data-own` on the parent element if the page is the viewer's own, before the first paint: the server renders for visitors.
 * The classes `own-space` and `not-own` depend on it, so that the tools of the owner move nothing when they are loaded. Rendered
 * on the server only. A username contains no character that would have to be escaped.
 */
export function OwnPageScript({ username }: { username: string }) {
  return (
    <ScriptOnce>
      {`try {
  const storage = sessionStorage.getItem('refresh') === null ? localStorage : sessionStorage
  const isSignedIn = storage.getItem('refresh') !== null
  const isOwn = storage.getItem('username')?.toLowerCase() === '${username.toLowerCase()}'
  if (isSignedIn && isOwn) document.currentScript.parentElement.dataset.own = ''
} catch {}`}
    </ScriptOnce>
  )
}
