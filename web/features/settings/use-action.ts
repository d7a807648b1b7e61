import { useCallback, useState } from 'react'
import { confirmed } from '../accounts/confirm.ts'
import { problemText } from './problem-text.ts'

/**
 * Something one does by pressing a button: busy meanwhile, its failure in words, a confirmation where one is asked
 * for (accounts/confirm.ts).
 */
export function useAction(words: (error: unknown) => string = problemText) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  /** @returns null where it failed, or was not confirmed. */
  const run = useCallback(
    async <T>(call: () => Promise<T>): Promise<{ reply: T } | null> => {
      setBusy(true)
      setProblem(null)
      try {
        return await confirmed(call)
      } catch (error) {
        setProblem(words(error))
        return null
      } finally {
        setBusy(false)
      }
    },
    [words],
  )
  const forget = useCallback(() => setProblem(null), [])
  return { busy, problem, run, forget }
}
