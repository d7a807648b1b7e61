import type { Pin } from '@reelmark/contract/pins.ts'

/** Returns the pictures of a pinned item as the cover of a tile. */
export function pinCover({ images }: Pin) {
  const [first = { url: null, orientation: null }] = images
  return { ...first, images }
}

export function pinTitle({ title }: Pin): string {
  return title || 'Untitled Bookmark'
}
