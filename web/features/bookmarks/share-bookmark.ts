import { shareLink } from '../../ui/share-link.ts'

interface ShareableBookmark {
  id: number
  title: string
  isPublic: boolean
}

/**
 * Shares a bookmark's link.
 * @param button the button that was clicked.
 */
export function shareBookmark(
  { id, title, isPublic }: ShareableBookmark,
  button: HTMLElement,
): Promise<void> {
  const caution = isPublic ? undefined : 'This bookmark is private, so only you can open the link.'
  return shareLink({ path: `/bookmarks/${id}`, title, caution }, button)
}
