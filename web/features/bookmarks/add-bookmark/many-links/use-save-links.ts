import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { type Extraction, extractMetadata } from '@reelmark/contract/extraction.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../../../../shared/api/api.ts'
import { createIdempotencyKey, type IdempotencyKey } from '../../../../shared/api/idempotency-key.ts'
import { isFinalError } from '../../../../shared/errors/api-error.ts'
import { errorMessage } from '../../../../shared/errors/error-message.ts'
import { saveFailureFrom } from '../save-failure.ts'
import { type SaveValues, saveInput, valuesFromExtraction } from '../save-values.ts'
import { extractionFailureFrom } from '../use-extraction.ts'
import type { LinkState } from './link-row.tsx'

/** The number of links that are saved at the same time, because some sites take seconds to respond. */
const concurrency = 3

interface SaveLinksOptions {
  /** Runs after each link that was saved. */
  onSaved: (url: string) => void
  /** Runs after the last link, or after the saving was stopped. */
  onFinished: () => void
}

/** Saves links one after the other: extracts the details of each, and saves it with the values common to all. */
export function useSaveLinks(options: SaveLinksOptions) {
  const [results, setResults] = useState<ReadonlyMap<string, LinkState>>(new Map())
  const [savedUrls, setSavedUrls] = useState<readonly string[]>([])
  const [left, setLeft] = useState(0)
  const isStopped = useRef(false)
  const keys = useRef(new Map<string, IdempotencyKey>())
  const latest = useRef(options)
  latest.current = options
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )

  const setResult = useCallback((url: string, result: LinkState | null) => {
    setResults((before) => {
      const after = new Map(before)
      if (result === null) after.delete(url)
      else after.set(url, result)
      return after
    })
  }, [])

  async function saveLink(url: string, values: SaveValues): Promise<void> {
    setResult(url, { state: 'saving' })
    const key = keys.current.get(url) ?? createIdempotencyKey()
    keys.current.set(url, key)
    let extraction: Extraction
    try {
      extraction = await api(extractMetadata, { body: { url } })
    } catch (error) {
      const { text, reason } = extractionFailureFrom(error)
      fail(url, reason ?? text, error)
      return
    }
    try {
      const extracted = valuesFromExtraction(extraction)
      const title = extracted.title || url.replace(/^https?:\/\/(?:www\.)?/i, '').slice(0, limits.titleMax)
      const body = saveInput({ ...values, ...extracted, title, tags: values.tags }, extraction)
      const bookmark = await api(saveBookmark, { body }, { idempotencyKey: key.keyFor(body) })
      keys.current.delete(url)
      setResult(url, { state: 'saved', title: bookmark.title, bookmarkId: bookmark.id })
      setSavedUrls((before) => [...before, url])
      latest.current.onSaved(url)
    } catch (error) {
      if (isFinalError(error)) keys.current.delete(url)
      const { bookmarkId } = saveFailureFrom(error)
      if (bookmarkId !== null) setResult(url, { state: 'known', title: url, bookmarkId })
      else fail(url, errorMessage(error), error)
    }
  }

  function fail(url: string, reason: string, error: unknown): void {
    setResult(url, { state: 'failed', reason })
    // The next links would fail in the same way.
    if (isCallError(error) && (error.status === 0 || error.status === 429)) isStopped.current = true
  }

  async function save(urls: readonly string[], values: SaveValues): Promise<void> {
    isStopped.current = false
    for (const url of urls) setResult(url, null)
    setLeft(urls.length)
    const waiting = [...urls]
    async function saveNext(): Promise<void> {
      for (let url = waiting.shift(); url !== undefined && !isStopped.current; url = waiting.shift()) {
        await saveLink(url, values)
        setLeft((before) => before - 1)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, saveNext))
    setLeft(0)
    latest.current.onFinished()
  }

  return {
    results,
    /** In the order in which they were saved. */
    savedUrls,
    /** The number of links that will be saved; 0 while none is being saved. */
    left,
    save,
    /** Stops after the links that are being saved. */
    stop: () => {
      isStopped.current = true
    },
    /** Removes the result of a link. */
    forget: (url: string) => setResult(url, null),
  }
}
