import { createRandomKey } from './api.ts'

export interface IdempotencyKey {
  /** Returns the key for this input: the same while the input is the same, so that a retry means the same request. */
  keyFor(input: unknown): string
  /** Ends the current key: the next request is a new one, even with the same input. */
  reset(): void
}

/** Creates the keys that a form sends as `Idempotency-Key`. One per form. */
export function createIdempotencyKey(): IdempotencyKey {
  let key = ''
  let lastInput: string | null = null
  return {
    keyFor(input) {
      const text = JSON.stringify(input)
      if (text !== lastInput) {
        lastInput = text
        key = createRandomKey()
      }
      return key
    },
    reset() {
      lastInput = null
    },
  }
}
