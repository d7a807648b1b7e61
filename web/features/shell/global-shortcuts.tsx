import { useRouter } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { requestSave } from '../../shared/save-request.ts'
import { useSession } from '../../shared/session/session.ts'
import { isInField, isShortcut } from '../../ui/shortcuts.ts'
import { headerSearchId } from '../listing/public-api.ts'
import { takeEarlyKey } from './early-keys.ts'
import type { ShortcutsDialogProps } from './shortcuts-dialog.tsx'

type Router = ReturnType<typeof useRouter>

/** Registers the shortcuts that work on every page, and loads the dialog that lists all shortcuts on demand. */
export function GlobalShortcuts() {
  const router = useRouter()
  const { username } = useSession()
  const [Dialog, setDialog] = useState<ComponentType<ShortcutsDialogProps> | null>(null)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const showAll = async () => {
      const { ShortcutsDialog } = await import('./shortcuts-dialog.tsx')
      setDialog(() => ShortcutsDialog)
      setOpen(true)
    }
    // If the dialog cannot be loaded, the shortcut does nothing.
    return listenForShortcuts(router, username, () => void showAll().catch(() => undefined))
  }, [router, username])
  return Dialog && <Dialog open={open} onClose={() => setOpen(false)} />
}

/** Handles `/` search, `g h` home, `g e` Explore, `g l` library, `g p` profile, `n` add, `?` help. Returns a function that stops it. */
function listenForShortcuts(router: Router, username: string | null, showAll: () => void): () => void {
  let gPressedAt = 0

  /** Takes the second key of `g h` before the page, for which it may have another meaning. */
  function onSecondKey(event: KeyboardEvent): void {
    if (!isShortcut(event)) return
    if (Date.now() - gPressedAt < 1_000) {
      gPressedAt = 0
      if (event.key === 'h') void router.navigate({ to: '/' })
      else if (event.key === 'e') void router.navigate({ to: '/explore' })
      else if (event.key === 'l' && username !== null) void router.navigate({ to: '/library' })
      else if (event.key === 'p' && username !== null) {
        void router.navigate({ to: '/users/$username', params: { username } })
      } else return
      event.preventDefault()
    }
  }

  function onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || !isShortcut(event)) return
    if (event.key === 'g') gPressedAt = Date.now()
    else if (event.key === '?') {
      event.preventDefault()
      showAll()
    } else if (event.key === '/') {
      event.preventDefault()
      focusSearch()
    } else if (event.key === 'n' && username !== null) {
      event.preventDefault()
      if (!requestSave(null)) void router.navigate({ to: '/bookmarks/create', search: { tab: 'url' } })
    }
  }

  // After the shortcuts of the page, which are registered on the document: `n` is the next video while a list is played.
  window.addEventListener('keydown', onSecondKey, { capture: true })
  window.addEventListener('keydown', onKey)
  const early = takeEarlyKey()
  // The user may have moved to a field after pressing the key.
  if (early !== null && !isInField(document.activeElement)) onKey(early)
  return () => {
    window.removeEventListener('keydown', onSecondKey, { capture: true })
    window.removeEventListener('keydown', onKey)
  }
}

/** Focuses the search field of the header. */
function focusSearch(): void {
  const field = document.getElementById(headerSearchId)
  if (!(field instanceof HTMLInputElement)) return
  field.focus()
  field.select()
}
