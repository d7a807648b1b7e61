/**
 * Keeps the temporary files of tests in memory. Their databases and browser profiles are thousands of small files: on a
 * disk, creating them took most of the processor time of PostgreSQL, and the tests waited for writes that are never read.
 */
import { statfsSync } from 'node:fs'

const memoryFolder = '/dev/shm'
/** Bytes that the databases of a run need at most; containers often offer only 64 MB. */
const neededBytes = 1.5e9

/** Returns a folder in memory, or null on a platform without one or with too little room in it. */
export function findMemoryFolder(): string | null {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder)
    return bavail * bsize >= neededBytes ? memoryFolder : null
  } catch {
    return null
  }
}

/** Makes this process and those it starts create their temporary files in memory, unless TMPDIR is set. */
export function storeTemporaryFilesInMemory(): void {
  const folder = findMemoryFolder()
  if (folder !== null) process.env.TMPDIR ??= folder
}
