import { type Extraction, extractMetadata } from '@reelmark/contract/extraction.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { api } from '../../../shared/api/api.ts'

export interface ExtractionFailure {
  text: string
  /** The server's reason; null without one. */
  reason: string | null
}

/** Returns the message of a failed extraction: the server's `error` field, else a general text. */
export function extractionFailureFrom(error: unknown): ExtractionFailure {
  const body = isCallError(error) && error.body !== null && typeof error.body === 'object' ? error.body : {}
  const { error: errorField, detail } = body as { error?: unknown; detail?: unknown }
  const text = typeof errorField === 'string' ? errorField : 'Failed to extract metadata from URL'
  if (isCallError(error) && error.status === 0)
    return { text, reason: 'Check your connection and try again.' }
  return { text, reason: typeof detail === 'string' && detail !== text ? detail : null }
}

/**
 * Requests the details of a link. A new request, `reset` or unmounting aborts the previous one and ignores its outcome.
 * `useApiMutation` does not fit: it completes a request that was started, and ignores further ones until then.
 */
export function useExtraction() {
  const currentRequest = useRef<AbortController | null>(null)
  const mutation = useMutation({
    mutationFn: (url: string) => {
      const request = new AbortController()
      currentRequest.current = request
      return api(extractMetadata, { body: { url } }, { signal: request.signal })
    },
    // Fails immediately when offline; the default would wait for a connection.
    networkMode: 'always',
    gcTime: 0,
  })
  useEffect(() => () => currentRequest.current?.abort(), [])

  const { mutateAsync, reset: resetMutation } = mutation
  const extract = useCallback(
    (url: string): Promise<Extraction | null> => {
      currentRequest.current?.abort()
      return mutateAsync(url).catch(() => null)
    },
    [mutateAsync],
  )
  const reset = useCallback(() => {
    currentRequest.current?.abort()
    resetMutation()
  }, [resetMutation])

  return {
    busy: mutation.isPending,
    failure: mutation.error === null ? null : extractionFailureFrom(mutation.error),
    extract,
    reset,
  }
}
