import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { isFinalError } from '../errors/api-error.ts'
import { errorMessage } from '../errors/error-message.ts'
import { withReauth } from '../session/reauthenticate.ts'
import { api } from './api.ts'
import { createIdempotencyKey } from './idempotency-key.ts'

/**
 * Makes the calls of a write that is more than one call, or whose endpoint depends on the input. The input holds all
 * that is sent: the idempotency key stays the same as long as the input does.
 */
export type SendWrite<I, R> = (input: I, options: { idempotencyKey: string }) => Promise<R>

export interface ApiMutationOptions<I, R> {
  /** Runs after the server accepted the write, also if the component is gone by then. */
  onSuccess?: (reply: R, input: I) => void
  /** Runs after the write failed; `errorText` is shown without it. */
  onError?: (error: unknown, input: I) => void
  /** Returns the text to show for a failure. Default: `errorMessage`. */
  errorText?: (error: unknown) => string
}

export interface ApiMutation<I, R> {
  /** The write is under way: show it on the button. */
  busy: boolean
  /** Why the last write failed; null before the first, during one, and after a success. */
  errorText: string | null
  /** The same as the error that was thrown, for errors that are shown in another way. */
  error: unknown
  /**
   * Sends the write. Never throws.
   * @returns null if it failed, if the user did not confirm who they are, or if the last one is still under way.
   */
  run: (input: I) => Promise<{ reply: R } | null>
  /** Removes the error text. */
  reset: () => void
}

/**
 * Sends a write to the server. Every button and form of the site that changes something uses it (forms through
 * `useApiForm`):
 *
 *   const end = useApiMutation(endSession, { onSuccess: () => toast('Logged out.') })
 *
 *   <Button busy={end.busy} onClick={() => void end.run({ params: { id } })}>Log out</Button>
 *   <ErrorNotice text={end.errorText} />
 *
 * It asks the user to confirm who they are where the endpoint requires that, ignores a second press while the first is
 * under way, and sends an idempotency key: pressing again after a lost connection does it once.
 * @param write an endpoint, or a function that makes the calls; it passes the idempotency key on to `api`.
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
        // Made only where it is read: the input may be a file of many megabytes, or no JSON at all.
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
    // Offline it fails at once and says so; the default would wait for a connection.
    networkMode: 'always',
    // The input may hold a password: nothing of it stays in memory once the component is gone.
    gcTime: 0,
  })

  const latest = useRef({ mutateAsync, onSuccess, onError })
  latest.current = { mutateAsync, onSuccess, onError }
  const run = useCallback(
    async (input: I) => {
      if (isRunning.current) return null
      isRunning.current = true
      let done: { reply: R } | null
      try {
        done = await latest.current.mutateAsync(input)
        if (done !== null) idempotencyKey.reset()
      } catch (failure) {
        if (isFinalError(failure)) idempotencyKey.reset()
        isRunning.current = false
        latest.current.onError?.(failure, input)
        return null
      }
      isRunning.current = false
      if (done !== null) latest.current.onSuccess?.(done.reply, input)
      return done
    },
    [idempotencyKey],
  )
  const forget = useCallback(() => {
    if (!isRunning.current) reset()
  }, [reset])

  return {
    busy: isPending,
    error,
    errorText: error === null ? null : errorText(error),
    run,
    reset: forget,
  }
}
