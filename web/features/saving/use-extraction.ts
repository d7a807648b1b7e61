import { isCallError } from '@reelmark/contract/call.ts'
import { type Extraction, extractMetadata } from '@reelmark/contract/extraction.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../../api.ts'

export interface ExtractionFailure {
  text: string
  /** Why, in the server's words; null where it did not say. */
  why: string | null
}

/** What a failed extraction is told as: the server's `error` field, else a text of our own (product.md section 8). */
export function extractionFailure(error: unknown): ExtractionFailure {
  const body = isCallError(error) && error.body !== null && typeof error.body === 'object' ? error.body : {}
  const { error: told, detail } = body as { error?: unknown; detail?: unknown }
  const text = typeof told === 'string' ? told : 'Failed to extract metadata from URL'
  if (isCallError(error) && error.status === 0) return { text, why: 'Check your connection and try again.' }
  return { text, why: typeof detail === 'string' && detail !== text ? detail : null }
}

/** Asking what a link is. A newer question, or leaving the page, gives up the one before. */
export function useExtraction() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ExtractionFailure | null>(null)
  const asking = useRef<AbortController | null>(null)
  useEffect(() => () => asking.current?.abort(), [])

  const extract = useCallback(async (url: string): Promise<Extraction | null> => {
    asking.current?.abort()
    const mine = new AbortController()
    asking.current = mine
    setBusy(true)
    setFailure(null)
    try {
      return await api(extractMetadata, { body: { url } }, { signal: mine.signal })
    } catch (error) {
      if (!mine.signal.aborted) setFailure(extractionFailure(error))
      return null
    } finally {
      if (!mine.signal.aborted) setBusy(false)
    }
  }, [])

  const forget = useCallback(() => {
    asking.current?.abort()
    setBusy(false)
    setFailure(null)
  }, [])

  return { busy, failure, extract, forget }
}
