/** Where made pictures live: files named by their content. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'

export interface MediaStore {
  /** Keeps bytes under a key; the same key again replaces them. Whole or not at all, also after a crash. */
  put(key: string, bytes: Buffer, type: string): Promise<void>
  /** Null where there is nothing under the key. */
  get(key: string): Promise<Readable | null>
  delete(key: string): Promise<void>
}

/** Keys are ours: no path that comes from outside can be one. */
const keyForm = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*(\.[a-z0-9]+)?$/

/**
 * Opens the store in `dataDir`/media.
 * @throws on a key of another form.
 */
export function openMediaStore({ dataDir }: { dataDir: string; s3Url: string | null }): MediaStore {
  const fileOf = (key: string) => {
    if (!keyForm.test(key)) throw new Error('not a media key')
    return path.join(dataDir, 'media', key)
  }
  return {
    async put(key, bytes) {
      const file = fileOf(key)
      await mkdir(path.dirname(file), { recursive: true })
      const part = `${file}.${randomUUID()}.part`
      const handle = await open(part, 'wx')
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(part, file)
    },
    async get(key) {
      if (!keyForm.test(key)) return null
      try {
        const handle = await open(fileOf(key))
        return createReadStream('', { fd: handle })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    async delete(key) {
      await rm(fileOf(key), { force: true })
    },
  }
}
