import { uploadThumbnail } from '@reelmark/contract/bookmark-changes.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import { InvalidFields } from '../../../core/http/errors.ts'
import { mountForm } from '../../../core/http/forms.ts'
import { type Picture, PictureError, processPicture } from '../../../core/media/process.ts'
import { isInLibrary } from '../../../shared/visibility.ts'
import { reportHeldUser } from '../../moderation/public-api.ts'
import { loadBookmarkReply } from '../bookmark-reply.ts'
import { lockOwnBookmarks } from '../lock-bookmarks.ts'
import { deleteThumbnail, storeThumbnail } from '../thumbnails/thumbnail-files.ts'
import { isRefusedPicture, replaceThumbnail } from '../thumbnails/thumbnail-queries.ts'
import { accessError } from './update-queries.ts'

const refusedNote = 'An uploaded thumbnail closely matches a picture that was permanently blocked.'

export function registerThumbnailUpload(app: FastifyInstance): void {
  const { deps } = app
  const { db, media } = deps

  mountForm(
    app,
    uploadThumbnail,
    async ({ input: { params }, viewer, picture: file }) => {
      const { id } = params
      // The owner is checked first, because processing a picture is expensive.
      const own = await db`
        select from bookmarks b join videos v on v.id = b.video_id
         where b.id = ${id} and b.user_id = ${viewer.id} and ${isInLibrary(db)}`
      if (own.count === 0) throw await accessError(db, viewer, id)
      if (file === null) throw new InvalidFields({ thumbnail: ['Choose a picture.'] })
      const picture = await readPicture(file)
      if (await isRefusedPicture(db, picture)) {
        // The user and not the video is reported: a report of the video would let any user hide it with such a picture.
        await reportHeldUser(db, viewer.id, refusedNote)
        throw new InvalidFields({ thumbnail: ['This picture cannot be used.'] })
      }
      const keys = await storeThumbnail(media, picture)
      try {
        return await db.begin(async (tx) => {
          await lockOwnBookmarks(tx, viewer.id, [id])
          if (!(await replaceThumbnail(tx, viewer.id, id, keys, picture)))
            throw await accessError(tx, viewer, id)
          return loadBookmarkReply(deps, tx, id, viewer)
        })
      } catch (error) {
        await deleteThumbnail(media, keys)
        throw error
      }
    },
    { limit: 'upload-thumbnail', maxBytes: limits.thumbnailMax },
  )
}

async function readPicture(file: Buffer): Promise<Picture> {
  try {
    return await processPicture(file)
  } catch (error) {
    if (error instanceof PictureError) throw new InvalidFields({ thumbnail: [error.message] })
    throw error
  }
}
