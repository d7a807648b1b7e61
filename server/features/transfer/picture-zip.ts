/** Creates the zip file of an export with pictures while it is sent, so that no picture is stored twice. */
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { MediaStore } from '../../core/media/store.ts'
import type { ExportedPicture } from './export-queries.ts'

/**
 * Returns a zip file with a file and pictures. One picture at a time is read, as fast as the receiver takes it. Pictures that
 * were deleted since the export are left out.
 * @param time the time of all files in it
 */
export function createPictureZip(
  media: MediaStore,
  first: { name: string; content: Readable },
  pictures: AsyncIterable<ExportedPicture[]>,
  time: Date,
): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let current: Readable = first.content
  /** Adds a file and waits until it is written. */
  const add = async (content: Readable, name: string, compress: boolean) => {
    current = content
    zip.addReadStream(content, name, { mtime: time, compress })
    await finished(content, { writable: false })
  }
  const addAll = async () => {
    await add(first.content, first.name, true)
    for await (const batch of pictures) {
      for (const { name, key } of batch) {
        const found = await media.get(key)
        // The receiver may have left.
        if (output.destroyed) return found?.stream.destroy()
        // WebP is compressed already.
        if (found !== null) await add(found.stream, name, false)
      }
    }
    zip.end()
  }
  output.once('close', () => current.destroy())
  addAll().catch((error: Error) => output.destroy(error))
  // The stream of the file or picture reports the same error.
  zip.on('error', () => undefined)
  return output
}
