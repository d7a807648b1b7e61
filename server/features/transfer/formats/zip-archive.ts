/** Reads zip files entry by entry. Refuses those that no tool writes: encrypted, damaged, or made to expand without end. */

import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type Entry, fromRandomAccessReader, type ZipFile } from 'yauzl'
import { MalformedFile } from '../json-stream.ts'
import { BlockReader } from './block-reader.ts'
import {
  freeUnpackedBytes,
  maxDirectoryBytes,
  maxRatio,
  maxUnpackedBytes,
  maxZipEntries,
} from './read-limits.ts'
import type { SourceFile, UploadedFile } from './uploaded-file.ts'

export interface Archive {
  /** The files in it, in the order of its directory. */
  entries: readonly SourceFile[]
  [Symbol.asyncDispose](): Promise<void>
}

const stored = 0
const deflated = 8

/**
 * Opens a zip file and checks its directory. The sizes in the directory are what is decompressed at most: yauzl fails if an
 * entry is longer than it claims.
 * @param maxBytes how much is decompressed of all entries together
 * @throws MalformedFile
 */
export async function openArchive(upload: UploadedFile, maxBytes = maxUnpackedBytes): Promise<Archive> {
  const handle = await open(upload.path)
  try {
    const zip = await readDirectory(new BlockReader(handle), upload.size)
    const entries = await readEntries(zip)
    checkOverlaps(entries, upload.size)
    let unpacked = 0
    const files = entries.map((entry) => ({
      name: entry.fileName,
      size: entry.uncompressedSize,
      async *open() {
        for await (const chunk of await openEntry(zip, entry)) {
          unpacked += chunk.length
          if (unpacked > maxBytes) throw new MalformedFile('The zip file contains too much data.')
          yield chunk
        }
      },
    }))
    return { entries: files, [Symbol.asyncDispose]: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** @throws MalformedFile */
function readDirectory(reader: BlockReader, size: number): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true }
  return new Promise((resolve, reject) => {
    fromRandomAccessReader(reader, size, options, (error, zip) => {
      if (error) reject(damaged())
      else resolve(zip)
    })
  })
}

/** Returns the entries that are files. @throws MalformedFile */
function readEntries(zip: ZipFile): Promise<Entry[]> {
  const tooMany = new MalformedFile('The zip file contains too many files.')
  if (zip.entryCount > maxZipEntries) throw tooMany
  const entries: Entry[] = []
  let directoryBytes = 0
  return new Promise((resolve, reject) => {
    zip.on('error', () => reject(damaged()))
    zip.on('end', () => resolve(entries))
    zip.on('entry', (entry: Entry) => {
      const problem = findProblem(entry)
      directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (problem !== null || directoryBytes > maxDirectoryBytes) {
        reject(problem === null ? tooMany : new MalformedFile(problem))
        return
      }
      if (!entry.fileName.endsWith('/')) entries.push(entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
}

function findProblem(entry: Entry): string | null {
  if ((entry.generalPurposeBitFlag & 1) !== 0) return 'The zip file is encrypted.'
  if (![stored, deflated].includes(entry.compressionMethod)) {
    return 'The zip file is compressed in a way we cannot read.'
  }
  const isExpanding = entry.uncompressedSize > Math.max(freeUnpackedBytes, entry.compressedSize * maxRatio)
  return isExpanding ? 'The zip file expands too much.' : null
}

/** Refuses entries that share their data: a small file could then contain any amount. @throws MalformedFile */
function checkOverlaps(entries: readonly Entry[], fileSize: number): void {
  const inOrder = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  inOrder.forEach((entry, index) => {
    const end = inOrder[index + 1]?.relativeOffsetOfLocalHeader ?? fileSize
    // A local header has at least 30 bytes.
    if (entry.relativeOffsetOfLocalHeader + 30 + entry.compressedSize > end) throw damaged()
  })
}

/** Opens an entry. Its stream fails with MalformedFile. */
async function openEntry(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> {
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => {
      if (error) reject(damaged())
      else resolve(opened)
    })
  })
  return readStream(stream)
}

async function* readStream(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream
  } catch {
    throw damaged()
  }
}

function damaged(): MalformedFile {
  return new MalformedFile('The zip file is damaged.')
}
