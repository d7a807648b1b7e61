import type { previewThumbnail } from '@reelmark/contract/extraction.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { Deps } from '../../../core/deps.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { acceptedPictures, PictureError, processPicture } from '../../../core/media/process.ts'
import { hidingFailures } from '../../../core/outbound/hide-failure-duration.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { isRefusedPicture } from '../../bookmarks/public-api.ts'

/**
 * Fetches a picture as a save would and returns it re-encoded, without storing it.
 * @throws InvalidFields at `url` if it cannot be fetched, is not a picture or is refused
 */
export async function fetchPreview(
  { db, outbound }: Pick<Deps, 'db' | 'outbound'>,
  url: string,
): Promise<Reply<typeof previewThumbnail>> {
  try {
    const response = await hidingFailures(outbound).get(url, { accept: acceptedPictures })
    if (response.status !== 200) throw refusal(`The site answered with an error (${response.status}).`)
    const picture = await processPicture(response.body)
    if (await isRefusedPicture(db, picture)) throw refusal('This picture cannot be used.')
    const { width, height, shape, variants } = picture
    const small = variants.find(({ name }) => name === 'small')
    if (small === undefined) throw new Error('the picture has no small size')
    return { picture: `data:image/webp;base64,${small.webp.toString('base64')}`, width, height, shape }
  } catch (error) {
    if (error instanceof OutboundError || error instanceof PictureError) throw refusal(error.message)
    throw error
  }
}

function refusal(text: string): InvalidFields {
  return new InvalidFields({ url: [text] })
}
