/**
 * The format of a backup file: sections inside gzip. A section is a JSON head, any number of chunks, and an end. The last
 * section is `{"end": true}`, which distinguishes a complete file from a truncated one.
 */

import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

const kinds = { head: 1, chunk: 2, end: 3 } as const
const chunkSize = 64 * 1024
/** Longer chunks are never written; a larger length means that the file is not a backup. */
const maxChunkSize = 256 * 1024 * 1024

export interface BackupWriter {
  section(head: object, chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void>
  /** Resolves when everything is on disk. */
  close(): Promise<void>
  /** Stops writing; the caller removes the file. */
  abort(): void
}

/** Creates a file that only its owner can read, because it contains private bookmarks. */
export function openBackupWriter(file: string): BackupWriter {
  const gzip = createGzip({ level: 6 })
  const abort = new AbortController()
  const written = pipeline(gzip, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }), {
    signal: abort.signal,
  })
  // The next write or close reports the failure; an unhandled rejection would end the process.
  written.catch(() => {})
  const write = async (kind: number, bytes: Buffer) => {
    const head = Buffer.alloc(5)
    head.writeUInt8(kind)
    head.writeUInt32BE(bytes.length, 1)
    gzip.write(head)
    if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), written])
  }
  return {
    async section(head, chunks) {
      await write(kinds.head, Buffer.from(JSON.stringify(head)))
      // Collected into larger chunks, because rows arrive one by one and are some hundred bytes long.
      let buffers: Buffer[] = []
      let size = 0
      for await (const chunk of chunks) {
        buffers.push(chunk)
        size += chunk.length
        if (size < chunkSize) continue
        await write(kinds.chunk, Buffer.concat(buffers))
        buffers = []
        size = 0
      }
      if (size > 0) await write(kinds.chunk, Buffer.concat(buffers))
      await write(kinds.end, Buffer.alloc(0))
    },
    async close() {
      gzip.end()
      await written
    },
    abort: () => abort.abort(),
  }
}

export interface Section {
  head: Record<string, unknown>
  /** Must be read to its end before the next section is requested. */
  chunks: AsyncIterable<Buffer>
}

/** Yields the sections of a file. @throws Error if it is not a backup, is damaged, or ends within a section. */
export async function* readBackup(file: string): AsyncGenerator<Section> {
  const frames = readFrames(file)
  const next = async () => {
    const { value, done } = await frames.next()
    if (done) throw new Error('the file ends too early')
    return value
  }
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let frame = await next(); frame.kind !== kinds.end; frame = await next()) {
      if (frame.kind !== kinds.chunk) throw new Error('the file is damaged')
      yield frame.bytes
    }
  }
  try {
    for (;;) {
      const { value: frame, done } = await frames.next()
      if (done) return
      if (frame.kind !== kinds.head) throw new Error('the file is damaged')
      yield { head: JSON.parse(frame.bytes.toString()) as Record<string, unknown>, chunks: chunks() }
    }
  } finally {
    await frames.return(undefined)
  }
}

async function* readFrames(file: string): AsyncGenerator<{ kind: number; bytes: Buffer }> {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  const reading = pipeline(source, gunzip)
  // The loop below throws the same error.
  reading.catch(() => {})
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= 5) {
      const length = rest.readUInt32BE(1)
      if (length > maxChunkSize) throw new Error('the file is damaged')
      if (rest.length < 5 + length) break
      yield { kind: rest.readUInt8(), bytes: rest.subarray(5, 5 + length) }
      rest = rest.subarray(5 + length)
    }
  }
  await reading
  if (rest.length > 0) throw new Error('the file ends too early')
}
