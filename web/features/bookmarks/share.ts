import { copyText } from '../../ui/clipboard.ts'
import { toast } from '../../ui/toast.tsx'

interface Shared {
  id: number
  title: string
  isPublic: boolean
}

/** The system's own sheet where there is one, else the link is copied. */
export async function shareBookmark({ id, title, isPublic }: Shared, pressed: HTMLElement): Promise<void> {
  const url = new URL(`/bookmarks/${id}`, window.location.origin).href
  if (navigator.share !== undefined) {
    try {
      await navigator.share({ title, url })
      return
    } catch (error) {
      // Put away by the person; anything else: this browser's sheet does not take it.
      if (error instanceof Error && error.name === 'AbortError') return
    }
  }
  const copied = await copyText(url, pressed)
  if (!copied) toast(`The link could not be copied: ${url}`, { tone: 'danger' })
  else toast(isPublic ? 'Link copied.' : 'Link copied. The bookmark is private: it opens for you alone.')
}
