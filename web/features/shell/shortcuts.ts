import type { useRouter } from '@tanstack/react-router'
import { isTyping } from '../../ui/keys.ts'

type Router = ReturnType<typeof useRouter>

/** `/` search, `g h` home, `g e` explore, `g p` profile, `n` add. Returns what stops it. */
export function followShortcuts(router: Router, username: string | null): () => void {
  let goneAt = 0

  function onKey(event: KeyboardEvent): void {
    if (isTyping(event)) return
    if (Date.now() - goneAt < 1_000) {
      goneAt = 0
      if (event.key === 'h') void router.navigate({ to: '/' })
      else if (event.key === 'e') void router.navigate({ to: '/explore' })
      else if (event.key === 'p' && username !== null) {
        void router.navigate({ to: '/users/$username', params: { username } })
      } else return
      event.preventDefault()
      return
    }
    if (event.key === 'g') goneAt = Date.now()
    else if (event.key === '/') {
      event.preventDefault()
      void focusSearch(router)
    } else if (event.key === 'n' && username !== null) {
      event.preventDefault()
      void router.navigate({ to: '/bookmarks/create' })
    }
  }

  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

function searchField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('main input[type="search"]')
}

/** The page's own search field, or Explore's. */
async function focusSearch(router: Router): Promise<void> {
  if (searchField() === null) await router.navigate({ to: '/explore' })
  const field = searchField()
  field?.focus()
  field?.select()
}
