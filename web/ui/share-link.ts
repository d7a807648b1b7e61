import { copyText } from './copy-text.ts'
import { toast } from './toast.tsx'

interface SharedLink {
  /** On this site: `/bookmarks/7`. */
  path: string
  title: string
  /** Said beside 'Link copied.', where not everybody can follow it. */
  caution?: string | undefined
}

/** The system's own sheet where there is one, else the link is copied. */
export async function shareLink({ path, title, caution }: SharedLink, pressed: HTMLElement): Promise<void> {
  const url = new URL(path, window.location.origin).href
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
  if (!copied) toast(`Couldn't copy the link. Copy it here: ${url}`, { tone: 'danger' })
  else toast(caution === undefined ? 'Link copied.' : `Link copied. ${caution}`)
}
