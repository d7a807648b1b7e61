/** Reads a zip file for yauzl in blocks. With two reads per entry of its directory, large directories take minutes. */
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { RandomAccessReader } from 'yauzl'

const blockBytes = 256 * 1024
const pieceBytes = 64 * 1024

export class BlockReader extends RandomAccessReader {
  readonly #file: FileHandle
  #block = Buffer.alloc(0)
  #start = 0

  constructor(file: FileHandle) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(readRange(this.#file, start, end), { objectMode: false })
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#load(position, length).then((found) => {
      found.copy(buffer, offset)
      callback(found.length < length ? new Error('unexpected end') : null)
    }, callback)
  }

  /** Returns the bytes at a position, fewer at the end of the file. */
  async #load(position: number, length: number): Promise<Buffer> {
    const isLoaded = position >= this.#start && position + length <= this.#start + this.#block.length
    if (!isLoaded) {
      const block = Buffer.allocUnsafe(Math.max(length, blockBytes))
      const { bytesRead } = await this.#file.read(block, 0, block.length, position)
      this.#block = block.subarray(0, bytesRead)
      this.#start = position
    }
    const from = position - this.#start
    return this.#block.subarray(from, from + length)
  }
}

/** Yields the bytes from one position up to another, or to the end of the file. */
async function* readRange(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  let position = start
  while (position < end) {
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - position))
    const { bytesRead } = await file.read(piece, 0, piece.length, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield piece.subarray(0, bytesRead)
  }
}
