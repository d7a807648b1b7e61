import { randomBytes, randomUUID } from 'node:crypto'
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { openS3 } from './s3-store.ts'
import { StoreError } from './store-error.ts'

/**
 * Stores processed pictures as files below `data/media/` or in a bucket. Keys are created by `createMediaKey` only, so no
 * user-chosen name becomes part of a path. A key belongs to one row and is never used again, and its picture never
 * changes (docs/decisions/0028-stored-pictures.md). Every function throws StoreError if the store cannot be used.
 */
export type MediaStore = {
  /** Does nothing if the store can be used: the S3 server can be reached and accepts S3_URL. */
  check(): Promise<void>
  /** Stores a picture. Idempotent and atomic, also in a crash. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Returns null if the key does not exist or is invalid. */
  get(key: string): Promise<MediaFile | null>
  /** Returns whether a picture exists. */
  has(key: string): Promise<boolean>
  /** Deletes a picture, or an unfinished file that `list` returned; does nothing if it does not exist. */
  delete(key: string): Promise<void>
  /** Lists everything stored, in batches, including the unfinished files that a crash left behind. */
  list(): AsyncIterable<StoredPicture[]>
}

type MediaFile = { stream: Readable; type: string; bytes: number }

export interface StoredPicture {
  key: string
  storedAt: Date
}

const types: Record<string, string> = { webp: 'image/webp' }

/** Returns a new random key (`0f3a….webp`). Nobody can compute it from the picture. */
export function createMediaKey(extension = 'webp'): string {
  return `${randomBytes(20).toString('hex')}.${extension}`
}

export function mediaType(key: string): string | null {
  const extension = /^[0-9a-f]{40}\.([a-z]{3,5})$/.exec(key)?.[1]
  return extension === undefined ? null : (types[extension] ?? null)
}

/** Returns whether a name is a media key, or that of a file whose writing was interrupted. */
function isStoredName(name: string): boolean {
  return mediaType(name.replace(/\.[0-9a-f-]{36}\.part$/, '')) !== null
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
    check: () => store.check().catch(throwStoreError),
    async put(key, bytes) {
      const type = mediaType(key)
      if (type === null) throw new Error(`'${key}' is not a media key`)
      await store.put(key, bytes, type).catch(throwStoreError)
    },
    async get(key) {
      const type = mediaType(key)
      if (type === null) return null
      const found = await store.get(key).catch(throwStoreError)
      return found === null ? null : { ...found, type }
    },
    async has(key) {
      return mediaType(key) !== null && (await store.has(key).catch(throwStoreError))
    },
    async delete(key) {
      if (isStoredName(key)) await store.delete(key).catch(throwStoreError)
    },
    async *list() {
      try {
        for await (const batch of store.list()) yield batch.filter(({ key }) => isStoredName(key))
      } catch (error) {
        throwStoreError(error)
      }
    },
  }
}

/** Throws an error of the store as one that callers recognise. */
function throwStoreError(error: unknown): never {
  const { message, code = 'it cannot be used' } = error as Error & { code?: string }
  // A refused connection to several addresses has no message.
  throw new StoreError(message || `The picture store: ${code}.`, { cause: error })
}

/** Stores a copy of a picture under a new key, which is returned; null if the picture does not exist. */
export async function copyPicture(media: MediaStore, key: string): Promise<string | null> {
  const found = await media.get(key)
  if (found === null) return null
  const copy = createMediaKey()
  await media.put(copy, await buffer(found.stream))
  return copy
}

export type ByteStore = {
  check(): Promise<void>
  put(key: string, bytes: Uint8Array, type: string): Promise<void>
  get(key: string): Promise<{ stream: Readable; bytes: number } | null>
  has(key: string): Promise<boolean>
  delete(key: string): Promise<void>
  list(): AsyncIterable<StoredPicture[]>
}

function openFolderStore(folder: string): ByteStore {
  // 256 folders hold about ten thousand files each for millions of pictures, so one level is enough.
  const path = (key: string) => join(folder, key.slice(0, 2), key)
  return {
    check: async () => {},
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
      const file = await open(path(key), 'r').catch(ignoreMissing)
      if (file === null) return null
      const { size } = await file.stat()
      return { stream: file.createReadStream(), bytes: size }
    },
    async has(key) {
      return (await access(path(key)).catch(ignoreMissing)) !== null
    },
    async delete(key) {
      await rm(path(key), { force: true })
    },
    async *list() {
      for (const part of (await readdir(folder).catch(ignoreMissing)) ?? []) {
        const names = await readdir(join(folder, part)).catch(ignoreMissing)
        const batch: StoredPicture[] = []
        for (const key of names ?? []) {
          // Another process may delete files while they are listed.
          const found = await stat(join(folder, part, key)).catch(ignoreMissing)
          if (found !== null) batch.push({ key, storedAt: found.mtime })
        }
        yield batch
      }
    },
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}
