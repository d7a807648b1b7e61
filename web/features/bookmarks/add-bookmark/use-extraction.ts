import { type Extraction, extractMetadata } from '@reelmark/contract/extraction.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'

export interface ExtractionFailure {
  text: string
  /** The server's reason; null without one. */
  reason: string | null
}

/** Returns the message of a failed extraction: the server's `error` field, else a general text. */
function extractionFailureFrom(error: unknown): ExtractionFailure {
  const body = isCallError(error) && error.body !== null && typeof error.body === 'object' ? error.body : {}
  const { error: errorField, detail } = body as { error?: unknown; detail?: unknown }
  const text = typeof errorField === 'string' ? errorField : 'Failed to extract metadata from URL'
  if (isCallError(error) && error.status === 0)
    return { text, reason: 'Check your connection and try again.' }
  return { text, reason: typeof detail === 'string' && detail !== text ? detail : null }
}

/** Requests the details of a link. A new request, or unmounting, aborts the previous one. */
export function useExtraction() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ExtractionFailure | null>(null)
  const currentRequest = useRef<AbortController | null>(null)
  useEffect(() => () => currentRequest.current?.abort(), [])

  const extract = useCallback(async (url: string): Promise<Extraction | null> => {
    currentRequest.current?.abort()
    const request = new AbortController()
    currentRequest.current = request
    setBusy(true)
    setFailure(null)
    try {
      return await api(extractMetadata, { body: { url } }, { signal: request.signal })
    } catch (error) {
      if (!request.signal.aborted) setFailure(extractionFailureFrom(error))
      return null
    } finally {
      if (!request.signal.aborted) setBusy(false)
    }
  }, [])

  const reset = useCallback(() => {
    currentRequest.current?.abort()
    setBusy(false)
    setFailure(null)
  }, [])

  return { busy, failure, extract, reset }
}
