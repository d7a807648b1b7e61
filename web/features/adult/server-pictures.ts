import { isAdult, type Orientation } from '@reelmark/contract/fields.ts'

interface Pictured {
  orientation: Orientation
  thumbnail_url: string | null
  thumbnail_large_url: string | null
}

/**
 * What is rendered on the server holds no adult picture, neither shown nor as data: nobody there has said yet that
 * they are 18 or older. In the browser nothing is changed; once someone has said so, queries are asked again.
 */
export function pictureForPage<P extends Pictured>(video: P): P {
  if (!import.meta.env.SSR || !isAdult(video.orientation)) return video
  return { ...video, thumbnail_url: null, thumbnail_large_url: null }
}
