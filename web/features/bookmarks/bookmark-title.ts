import type { Bookmark } from '@reelmark/contract/bookmarks.ts'

/** The bookmark's title, else the video's, else the description, else 'Untitled Bookmark' (product.md section 2). */
export function bookmarkTitle({ title, description, video }: Bookmark): string {
  return (
    [title, video.title, description].map((text) => text.trim()).find((text) => text !== '') ??
    'Untitled Bookmark'
  )
}
