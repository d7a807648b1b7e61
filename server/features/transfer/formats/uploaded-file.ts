/** Stores an upload on disk while it is read: the directory of a zip file is at its end, and some formats are read twice. */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { MalformedFile } from '../json-stream.ts'
import { headBytes } from './read-limits.ts'

/** A file that can be read more than once: an upload, or an entry of a zip file. */
export interface SourceFile {
  /** The name in the zip file; null for an upload, whose name is not used to recognise it. */
  name: string | null
  /** Length in bytes, decompressed. */
  size: number
  open(): AsyncIterable<Buffer>
}

export interface UploadedFile extends SourceFile {
  /** Where it is on disk. */
  path: string
  /** Deletes it. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Stores the bytes in a temporary file that only this account can read, until it is disposed.
 * @throws MalformedFile if there are more than `maxBytes`; then nothing is stored.
 */
export async function storeUpload(source: AsyncIterable<Buffer>, maxBytes: number): Promise<UploadedFile> {
  const folder = await mkdtemp(join(tmpdir(), 'reelmark-import-'))
  const path = join(folder, 'upload')
  const dispose = () => rm(folder, { recursive: true, force: true })
  try {
    await pipeline(limitBytes(source, maxBytes), createWriteStream(path, { mode: 0o600 }))
    const file = await open(path)
    const { size } = await file.stat().finally(() => file.close())
    return { name: null, size, path, open: () => createReadStream(path), [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** Returns the first bytes of a file. */
export async function readHead(file: SourceFile, bytes = headBytes): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of file.open()) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= bytes) break
  }
  return Buffer.concat(chunks).subarray(0, bytes)
}

/** @throws MalformedFile */
async function* limitBytes(source: AsyncIterable<Buffer>, max: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > max) throw new MalformedFile(`The file is larger than ${Math.floor(max / 1024 / 1024)} MB.`)
    yield chunk
  }
}
