import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { openS3 } from './s3-store.ts'

/**
 * Where made pictures live: files below `data/media/`, or a bucket. Keys come from `mediaKey` and `ownMediaKey` alone, so
 * no name that anybody chose is ever part of a path. What is there is never changed, and may be served with `immutable`.
 * By `mediaKey` the same bytes have the same key: it may be in use more than once, and its last user deletes it.
 */
export type MediaStore = {
  /** Doing it again changes nothing. Seen whole or not at all, also after a crash. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** null: not there (or no key). */
  get(key: string): Promise<MediaFile | null>
  /** What is not there is deleted already. */
  delete(key: string): Promise<void>
}

export type MediaFile = { stream: Readable; type: string; bytes: number }

const types: Record<string, string> = { webp: 'image/webp' }

/** `0f3a….webp`: of the content, so that equal pictures are stored once. */
export function mediaKey(bytes: Uint8Array, extension = 'webp'): string {
  return `${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}.${extension}`
}

/**
 * The key of a picture that one person put here, never anybody else's and never given again: whoever takes another
 * picture, or none, may delete it at once, without asking who else has it.
 */
export function randomMediaKey(extension = 'webp'): string {
  return `${randomBytes(20).toString('hex')}.${extension}`
}

export function mediaType(key: string): string | null {
  const extension = /^[0-9a-f]{40}\.([a-z]{3,5})$/.exec(key)?.[1]
  return extension === undefined ? null : (types[extension] ?? null)
}

/**
 * @param options.s3Url setting S3_URL: `s3://key:secret@host[:port]/bucket[/prefix][?region=…]`, or the same with `http://`
 * @throws {Error} with one clear line for a bad `s3Url`
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
      if (type === null) throw new Error(`'${key}' is no media key`)
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
  // Two levels would be for millions; 256 folders keep each below some ten thousand files.
  const path = (key: string) => join(folder, key.slice(0, 2), key)
  return {
    async put(key, bytes) {
      const target = path(key)
      await mkdir(dirname(target), { recursive: true })
      const unfinished = `${target}.${randomUUID()}.part`
      try {
        const file = await open(unfinished, 'wx', 0o644)
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
