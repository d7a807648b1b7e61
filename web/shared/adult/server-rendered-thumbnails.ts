import { isAdult, type Orientation } from '@reelmark/contract/protocol/fields.ts'

interface ThumbnailFields {
  orientation: Orientation
  thumbnail_url: string | null
  thumbnail_large_url: string | null
}

/**
 * What is rendered on the server holds no adult picture, neither shown nor as data: nobody there has said yet that
 * they are 18 or older. In the browser nothing is changed; once someone has said so, queries are asked again.
 */
export function withholdAdultThumbnail<P extends ThumbnailFields>(video: P): P {
  return isWithheldOnServer(video.orientation)
    ? { ...video, thumbnail_url: null, thumbnail_large_url: null }
    : video
}

/** The same of what stands for a collection. */
export function withholdAdultCover<
  P extends { display_image_url: string | null; display_image_orientation: Orientation | null },
>(collection: P): P {
  return isWithheldOnServer(collection.display_image_orientation)
    ? { ...collection, display_image_url: null }
    : collection
}

/** The same of a channel. */
export function withholdAdultChannelImage<
  C extends { imageUrl: string | null; image_orientation: Orientation | null },
>(channel: C): C {
  return isWithheldOnServer(channel.image_orientation) ? { ...channel, imageUrl: null } : channel
}

function isWithheldOnServer(orientation: Orientation | null): boolean {
  return import.meta.env.SSR && orientation !== null && isAdult(orientation)
}
