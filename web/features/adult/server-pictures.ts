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
  return isWithheld(video.orientation) ? { ...video, thumbnail_url: null, thumbnail_large_url: null } : video
}

/** The same of what stands for a collection. */
export function placeForPage<
  P extends { display_image_url: string | null; display_image_orientation: Orientation | null },
>(place: P): P {
  return isWithheld(place.display_image_orientation) ? { ...place, display_image_url: null } : place
}

/** The same of a channel. */
export function channelForPage<C extends { imageUrl: string | null; image_orientation: Orientation | null }>(
  channel: C,
): C {
  return isWithheld(channel.image_orientation) ? { ...channel, imageUrl: null } : channel
}

function isWithheld(orientation: Orientation | null): boolean {
  return import.meta.env.SSR && orientation !== null && isAdult(orientation)
}
