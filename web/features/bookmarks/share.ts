import { shareLink } from '../../ui/share.ts'

interface Shared {
  id: number
  title: string
  isPublic: boolean
}

/** Hands a bookmark's link on. */
export function shareBookmark({ id, title, isPublic }: Shared, pressed: HTMLElement): Promise<void> {
  const caution = isPublic ? undefined : 'This bookmark is private, so only you can open the link.'
  return shareLink({ path: `/bookmarks/${id}`, title, caution }, pressed)
}
