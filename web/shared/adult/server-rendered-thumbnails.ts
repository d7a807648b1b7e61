import { isAdult, type Orientation } from '@reelmark/contract/protocol/fields.ts'

interface ThumbnailFields {
  orientation: Orientation
  thumbnail_url: string | null
  thumbnail_large_url: string | null
}

/**
 * Removes an adult thumbnail on the server, which does not know whether the visitor confirmed their age: neither the
 * page nor its data names the picture. Does nothing in the browser. Queries are fetched again after an age
 * confirmation.
 */
export function withholdAdultThumbnail<P extends ThumbnailFields>(video: P): P {
  return isWithheldOnServer(video.orientation)
    ? { ...video, thumbnail_url: null, thumbnail_large_url: null }
    : video
}

/** Removes the adult pictures of a cover on the server. */
export function withholdAdultImages<I extends { url: string | null; orientation: Orientation }>(images: I[]): I[] {
  return images.map((image) => (isWithheldOnServer(image.orientation) ? { ...image, url: null } : image))
}

/** Removes the adult cover of a collection on the server. */
export function withholdAdultCover<
  P extends { display_image_url: string | null; display_image_orientation: Orientation | null },
>(collection: P): P {
  return isWithheldOnServer(collection.display_image_orientation)
    ? { ...collection, display_image_url: null }
    : collection
}

/** Removes the adult cover of a channel on the server. */
export function withholdAdultChannelImage<
  C extends { imageUrl: string | null; image_orientation: Orientation | null },
>(channel: C): C {
  return isWithheldOnServer(channel.image_orientation) ? { ...channel, imageUrl: null } : channel
}

function isWithheldOnServer(orientation: Orientation | null): boolean {
  return import.meta.env.SSR && orientation !== null && isAdult(orientation)
}
