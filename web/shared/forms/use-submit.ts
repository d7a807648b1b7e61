import { useCallback, useState } from 'react'
import { errorMessage } from '../errors/error-message.ts'
import { withReauth } from '../session/reauthenticate.ts'

/**
 * Something one does by pressing a button: busy meanwhile, its failure in words, a confirmation where one is asked
 * for (accounts/confirm.ts).
 */
export function useSubmit(errorText: (error: unknown) => string = errorMessage) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  /** @returns null where it failed, or was not confirmed. */
  const run = useCallback(
    async <T>(call: () => Promise<T>): Promise<{ reply: T } | null> => {
      setBusy(true)
      setProblem(null)
      try {
        return await withReauth(call)
      } catch (error) {
        setProblem(errorText(error))
        return null
      } finally {
        setBusy(false)
      }
    },
    [errorText],
  )
  const forget = useCallback(() => setProblem(null), [])
  return { busy, problem, run, forget }
}
