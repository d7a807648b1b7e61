import type { Bookmark } from '@reelmark/contract/bookmarks.ts'

/** Returns the message after collecting: where the bookmark is and who can see it. */
export function collectedText(
  { access, collection, is_held: isHeld }: Pick<Bookmark, 'access' | 'collection' | 'is_held'>,
  name: string,
): string {
  if (isHeld === true) return `Added to ${name}. It will be public after a quick review.`
  if (access === 'public' && collection.access === 'private')
    return `Added to ${name}, private because its collection is private.`
  return `Added to ${name}, ${access}.`
}
