import { copyText } from './copy-text.ts'
import { toast } from './toast.tsx'

interface SharedLink {
  /** Path on this site, for example `/bookmarks/7`. */
  path: string
  title: string
  /** Added to 'Link copied.' if not everyone can open the link. */
  caution?: string | undefined
}

/** Opens the system's share sheet if there is one, otherwise copies the link. */
export async function shareLink({ path, title, caution }: SharedLink, pressed: HTMLElement): Promise<void> {
  const url = new URL(path, window.location.origin).href
  if (navigator.share !== undefined) {
    try {
      await navigator.share({ title, url })
      return
    } catch (error) {
      // AbortError: the user closed the sheet. Any other error: the sheet does not work, so copy the link.
      if (error instanceof Error && error.name === 'AbortError') return
    }
  }
  const copied = await copyText(url, pressed)
  if (!copied) toast(`Couldn't copy the link. Copy it here: ${url}`, { tone: 'danger' })
  else toast(caution === undefined ? 'Link copied.' : `Link copied. ${caution}`)
}
