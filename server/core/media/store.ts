import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { openS3 } from './s3-store.ts'

/**
 * Stores processed pictures as files below `data/media/` or in a bucket. Keys are created by `mediaKey` and
 * `randomMediaKey` only, so no user-chosen name becomes part of a path. Stored pictures never change and may be served
 * as `immutable`. Equal bytes have the same `mediaKey`, which can therefore be in use more than once; the last user
 * deletes it.
 */
export type MediaStore = {
  /** Stores a picture. Idempotent and atomic, also in a crash. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Returns null if the key does not exist or is invalid. */
  get(key: string): Promise<MediaFile | null>
  /** Deletes a picture; does nothing if it does not exist. */
  delete(key: string): Promise<void>
}

type MediaFile = { stream: Readable; type: string; bytes: number }

const types: Record<string, string> = { webp: 'image/webp' }

/** Returns a key derived from the content (`0f3a….webp`), so that equal pictures are stored once. */
export function mediaKey(bytes: Uint8Array, extension = 'webp'): string {
  return `${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}.${extension}`
}

/**
 * Returns a unique key for a picture of a single user, which is never reused. Its owner can delete it immediately
 * without checking for other uses.
 */
export function randomMediaKey(extension = 'webp'): string {
  return `${randomBytes(20).toString('hex')}.${extension}`
}

export function mediaType(key: string): string | null {
  const extension = /^[0-9a-f]{40}\.([a-z]{3,5})$/.exec(key)?.[1]
  return extension === undefined ? null : (types[extension] ?? null)
}

/**
 * Opens the media store.
 * @param options.s3Url setting S3_URL: `s3://key:secret@host[:port]/bucket[/prefix][?region=…]`, or with `http://`
 * @throws {Error} with a one-line message if `s3Url` is invalid
 */
export function openMediaStore({
  dataDir,
  s3Url,
}: {
  dataDir: string
  s3Url?: string | null | undefined
}): MediaStore {
  const store = s3Url ? openS3(s3Url) : openFolderStore(join(dataDir, 'media'))
  return {
    async put(key, bytes) {
      const type = mediaType(key)
      if (type === null) throw new Error(`'${key}' is not a media key`)
      await store.put(key, bytes, type)
    },
    async get(key) {
      const type = mediaType(key)
      if (type === null) return null
      const found = await store.get(key)
      return found === null ? null : { ...found, type }
    },
    async delete(key) {
      if (mediaType(key) !== null) await store.delete(key)
    },
  }
}

export type ByteStore = {
  put(key: string, bytes: Uint8Array, type: string): Promise<void>
  get(key: string): Promise<{ stream: Readable; bytes: number } | null>
  delete(key: string): Promise<void>
}

function openFolderStore(folder: string): ByteStore {
  // 256 folders hold about ten thousand files each for millions of pictures, so one level is enough.
  const path = (key: string) => join(folder, key.slice(0, 2), key)
  return {
    async put(key, bytes) {
      const target = path(key)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      const unfinished = `${target}.${randomUUID()}.part`
      try {
        const file = await open(unfinished, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(unfinished, target)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    async get(key) {
      const file = await open(path(key), 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      if (file === null) return null
      const { size } = await file.stat()
      return { stream: file.createReadStream(), bytes: size }
    },
    async delete(key) {
      await rm(path(key), { force: true })
    },
  }
}
