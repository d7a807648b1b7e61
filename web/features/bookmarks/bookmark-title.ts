import type { Bookmark } from '@reelmark/contract/bookmarks.ts'

/** Returns the bookmark's title, else the video's, else the description, else 'Untitled Bookmark'. */
export function bookmarkTitle({ title, description, video }: Bookmark): string {
  return (
    [title, video.title, description].map((text) => text.trim()).find((text) => text !== '') ??
    'Untitled Bookmark'
  )
}
