import { shareLink } from '../../ui/share-link.ts'

interface ShareableBookmark {
  id: number
  title: string
  isPublic: boolean
}

/** Hands a bookmark's link on. */
export function shareBookmark(
  { id, title, isPublic }: ShareableBookmark,
  pressed: HTMLElement,
): Promise<void> {
  const caution = isPublic ? undefined : 'This bookmark is private, so only you can open the link.'
  return shareLink({ path: `/bookmarks/${id}`, title, caution }, pressed)
}
