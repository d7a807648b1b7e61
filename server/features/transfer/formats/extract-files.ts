/** Writes the files of a large zip file that can be read into a smaller one, which is stored until the import is started. */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { ZipFile } from 'yazl'
import { MalformedFile } from '../json-stream.ts'
import type { ArchivedFile } from './detect-format.ts'
import { storeUpload, type UploadedFile } from './uploaded-file.ts'
import { openArchive } from './zip-archive.ts'

/**
 * Returns a zip file with the chosen files of an upload, and their new positions in it.
 * @throws MalformedFile if they are larger than a file may be, or damaged
 */
export async function extractFiles(
  upload: UploadedFile,
  files: readonly ArchivedFile[],
): Promise<{ upload: UploadedFile; files: ArchivedFile[] }> {
  await using archive = await openArchive(upload)
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const add = async () => {
    for (const { index, name } of files) {
      const entry = archive.entries[index]
      if (entry === undefined) throw new MalformedFile('The zip file is damaged.')
      const content = Readable.from(entry.open(), { objectMode: false })
      zip.addReadStream(content, name)
      await finished(content, { writable: false })
    }
    zip.end()
  }
  // The stream of the entry reports the same error.
  zip.on('error', () => undefined)
  add().catch((error: Error) => output.destroy(error))
  const extracted = await storeUpload(output, limits.importMax)
  return { upload: extracted, files: files.map((file, index) => ({ ...file, index })) }
}
