import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { isFinalError } from '../errors/api-error.ts'
import { errorMessage } from '../errors/error-message.ts'
import { withReauth } from '../session/reauthenticate.ts'
import { api } from './api.ts'
import { createIdempotencyKey } from './idempotency-key.ts'

/**
 * Sends the requests of a write that takes more than one, or whose endpoint depends on the input. The input contains
 * everything that is sent, because the idempotency key stays the same as long as the input does.
 */
export type SendWrite<I, R> = (input: I, options: { idempotencyKey: string }) => Promise<R>

export interface ApiMutationOptions<I, R> {
  /** Runs after the server accepted the write, even if the component was unmounted. */
  onSuccess?: (reply: R, input: I) => void
  /** Runs after the write failed, in addition to showing `errorText`. */
  onError?: (error: unknown, input: I) => void
  /** Returns the text to show for a failure. Default: `errorMessage`. */
  errorText?: (error: unknown) => string
}

export interface ApiMutation<I, R> {
  /** The write is in progress. The button shows it. */
  busy: boolean
  /** Why the last write failed; null before the first write, during a write and after a success. */
  errorText: string | null
  /** The error itself, for components that show it in another way. */
  error: unknown
  /**
   * Sends the write. Never throws.
   * @returns null if it failed, if the user cancelled reauthentication, or if the previous write is still in progress.
   */
  run: (input: I) => Promise<{ reply: R } | null>
  /** Removes the error text. */
  reset: () => void
}

/**
 * Sends a write to the server. Every button and form that changes something uses it (forms through `useApiForm`):
 *
 *   const end = useApiMutation(endSession, { onSuccess: () => toast('Logged out.') })
 *
 *   <Button busy={end.busy} onClick={() => void end.run({ params: { id } })}>Log out</Button>
 *   <ErrorNotice text={end.errorText} />
 *
 * It asks for reauthentication where the endpoint requires that, ignores a second press while the first is in progress,
 * and sends an idempotency key, so that pressing again after a lost connection does it once.
 * @param write an endpoint, or a function that sends the requests and passes the idempotency key on to `api`.
 */
export function useApiMutation<E extends Endpoint>(
  write: E,
  options?: ApiMutationOptions<Input<E>, Reply<E>>,
): ApiMutation<Input<E>, Reply<E>>
export function useApiMutation<I = void, R = unknown>(
  write: SendWrite<I, R>,
  options?: ApiMutationOptions<I, R>,
): ApiMutation<I, R>
export function useApiMutation<I, R>(
  write: Endpoint | SendWrite<I, R>,
  { onSuccess, onError, errorText = errorMessage }: ApiMutationOptions<I, R> = {},
): ApiMutation<I, R> {
  const [idempotencyKey] = useState(createIdempotencyKey)
  const isRunning = useRef(false)
  const { mutateAsync, reset, isPending, error } = useMutation<{ reply: R } | null, unknown, I>({
    mutationFn: (input) => {
      const options = {
        // Computed only when it is read: the input may be a file of many megabytes, or not be JSON.
        get idempotencyKey() {
          return idempotencyKey.keyFor(input ?? null)
        },
      }
      return withReauth(() =>
        typeof write === 'function'
          ? write(input, options)
          : (api(write, input as never, write.idempotent ? options : {}) as Promise<R>),
      )
    },
    // Fails immediately when offline; the default would wait for a connection.
    networkMode: 'always',
    // The input may contain a password, so nothing is kept in memory after the component is unmounted.
    gcTime: 0,
  })

  const latest = useRef({ mutateAsync, onSuccess, onError })
  latest.current = { mutateAsync, onSuccess, onError }
  const run = useCallback(
    async (input: I) => {
      if (isRunning.current) return null
      isRunning.current = true
      let outcome: { reply: R } | null
      try {
        outcome = await latest.current.mutateAsync(input)
        if (outcome !== null) idempotencyKey.reset()
      } catch (failure) {
        if (isFinalError(failure)) idempotencyKey.reset()
        isRunning.current = false
        latest.current.onError?.(failure, input)
        return null
      }
      isRunning.current = false
      if (outcome !== null) latest.current.onSuccess?.(outcome.reply, input)
      return outcome
    },
    [idempotencyKey],
  )
  const resetWhenIdle = useCallback(() => {
    if (!isRunning.current) reset()
  }, [reset])

  return {
    busy: isPending,
    error,
    errorText: error === null ? null : errorText(error),
    run,
    reset: resetWhenIdle,
  }
}
