/**
 * The file of a backup: gzip around sections. A section is a JSON head, any number of chunks, and an end; the last
 * section says `{"end": true}`, so that a file cut short is told from a whole one.
 */

import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

const kinds = { head: 1, chunk: 2, end: 3 } as const
const chunkSize = 64 * 1024
/** Nothing we write is longer; a length beyond it means that the file is no backup. */
const maxChunkSize = 256 * 1024 * 1024

export interface BackupWriter {
  section(head: object, chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void>
  /** Resolves when everything is on disk. */
  close(): Promise<void>
  /** Gives up; the caller removes the file. */
  abort(): void
}

/** Opens a new file, readable by its owner alone: it holds everybody's private bookmarks. */
export function openBackupWriter(file: string): BackupWriter {
  const gzip = createGzip({ level: 6 })
  const abort = new AbortController()
  const written = pipeline(gzip, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }), {
    signal: abort.signal,
  })
  // Told by whoever waits next; until then a failure must not end the process.
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
      // Rows come one by one, some hundred bytes each.
      let gathered: Buffer[] = []
      let size = 0
      for await (const chunk of chunks) {
        gathered.push(chunk)
        size += chunk.length
        if (size < chunkSize) continue
        await write(kinds.chunk, Buffer.concat(gathered))
        gathered = []
        size = 0
      }
      if (size > 0) await write(kinds.chunk, Buffer.concat(gathered))
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
  /** To be read to its end before the next section is asked for. */
  chunks: AsyncIterable<Buffer>
}

/** Throws where the file is no backup, is damaged, or ends within a section. */
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
  // The loop below sees the same failure.
  reading.catch(() => {})
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of gunzip as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
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
