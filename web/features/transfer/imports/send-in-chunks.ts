/** Uploads large files in chunks, which continue after a lost connection or in a later visit. */
import { type Import, listImports } from '@reelmark/contract/imports.ts'
import { type CallError, isCallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { addUploadChunk, deleteUpload, importUpload, startUpload } from '@reelmark/contract/uploads.ts'
import { api } from '../../../shared/api/api.ts'
import { uploadFile } from '../../../shared/api/upload-file.ts'
import type { UploadProgress } from '../../../shared/api/upload-progress.ts'
import { isApiError } from '../../../shared/errors/api-error.ts'

export interface SendOptions {
  /** Receives the number of bytes that the server has, and what is waited for. */
  onProgress: (sent: number, waitsFor: UploadProgress['waitsFor']) => void
  signal: AbortSignal
}

/** Milliseconds between attempts after a lost connection; the last value repeats. */
const retryDelaysMs = [1000, 2000, 4000, 8000, 15_000, 30_000]

/** A rate limit that takes longer is an error. */
const maxWaitSeconds = 600

/**
 * Uploads a file and returns its review. Waits as long as the server cannot be reached once the upload has begun.
 * @throws CallError if the server refuses the file; the reason of the signal after an abort, which deletes the upload
 */
export async function sendInChunks(file: File, { onProgress, signal }: SendOptions): Promise<Import> {
  const description = {
    name: file.name.trim().slice(0, limits.fileNameMax) || 'file',
    size: file.size,
    modified_at: new Date(file.lastModified).toISOString(),
  }
  const start = () => api(startUpload, { body: description }, { signal })
  let upload = await start()
  const params = { id: upload.id }
  try {
    while (upload.offset < upload.size) {
      const { offset } = upload
      const chunk = file.slice(offset, offset + limits.uploadChunkMax)
      const send = () =>
        uploadFile(addUploadChunk, { params, query: { offset } }, chunk, {
          onProgress: (sent) => onProgress(offset + sent, null),
          signal,
        })
      upload = await untilReached(
        // The response to a chunk may have been lost after the server stored it.
        () =>
          send().catch((error: unknown) => (isApiError(error, 'wrong-offset') ? start() : rethrow(error))),
        { signal, onWait: (waitsFor) => onProgress(offset, waitsFor) },
      )
    }
    onProgress(file.size, null)
    return await finish(upload.id, { signal, onWait: (waitsFor) => onProgress(file.size, waitsFor) })
  } catch (error) {
    // Awaited, so that the caller does not find it among the unfinished uploads.
    if (signal.aborted) await api(deleteUpload, { params }).catch(() => undefined)
    throw error
  }
}

interface WaitOptions {
  signal: AbortSignal
  /** Runs before each wait. */
  onWait: (waitsFor: 'connection' | 'site') => void
}

/** Makes the upload a review. If the response was lost, the upload is one already. */
async function finish(id: number, options: WaitOptions): Promise<Import> {
  let attempts = 0
  return untilReached(async () => {
    attempts += 1
    try {
      return await api(importUpload, { params: { id } }, { signal: options.signal })
    } catch (error) {
      if (attempts === 1 || !(isApiError(error, 'not-found') || isApiError(error, 'already-running')))
        throw error
      const { results } = await api(listImports, { query: { page_size: 1 } }, { signal: options.signal })
      const [latest] = results
      if (latest?.state !== 'review') throw error
      return latest
    }
  }, options)
}

/** Repeats a call while the server cannot be reached or asks to wait. */
async function untilReached<T>(call: () => Promise<T>, { signal, onWait }: WaitOptions): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (signal.aborted || !isCallError(error) || !isTemporary(error)) throw error
      onWait(error.status === 0 ? 'connection' : 'site')
      const delay = retryDelaysMs[Math.min(attempt, retryDelaysMs.length - 1)] ?? 0
      await waitForConnection(Math.max(delay, (error.retryAfter ?? 0) * 1000), signal)
    }
  }
}

/** No response, a rate limit that ends soon, or a server that is restarted. */
function isTemporary({ status, retryAfter }: CallError): boolean {
  return status === 0 || status >= 502 || (status === 429 && (retryAfter ?? 0) <= maxWaitSeconds)
}

/** Waits, at most until the browser is online again. @throws the reason of the signal */
function waitForConnection(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
  })
}

function rethrow(error: unknown): never {
  throw error
}
