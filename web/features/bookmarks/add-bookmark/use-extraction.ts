import { type Extraction, extractMetadata } from '@reelmark/contract/extraction.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'

export interface ExtractionFailure {
  text: string
  /** Why, in the server's words; null where it did not say. */
  reason: string | null
}

/** Returns the message of a failed extraction: the server's `error` field, else a text of our own. */
export function extractionFailureFrom(error: unknown): ExtractionFailure {
  const body = isCallError(error) && error.body !== null && typeof error.body === 'object' ? error.body : {}
  const { error: saveError, detail } = body as { error?: unknown; detail?: unknown }
  const text = typeof saveError === 'string' ? saveError : 'Failed to extract metadata from URL'
  if (isCallError(error) && error.status === 0)
    return { text, reason: 'Check your connection and try again.' }
  return { text, reason: typeof detail === 'string' && detail !== text ? detail : null }
}

/** Asking what a link is. A newer question, or leaving the page, gives up the one before. */
export function useExtraction() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ExtractionFailure | null>(null)
  const asking = useRef<AbortController | null>(null)
  useEffect(() => () => asking.current?.abort(), [])

  const extract = useCallback(async (url: string): Promise<Extraction | null> => {
    asking.current?.abort()
    const request = new AbortController()
    asking.current = request
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

  const forget = useCallback(() => {
    asking.current?.abort()
    setBusy(false)
    setFailure(null)
  }, [])

  return { busy, failure, extract, forget }
}
