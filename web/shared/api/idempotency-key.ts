import { createRandomKey } from './api.ts'

export interface IdempotencyKey {
  /** The key to send with this input: the same one while the input is the same, so that trying again does it once. */
  keyFor(input: unknown): string
  /** The server's last word was heard: what comes next is meant anew, even if it is the same. */
  reset(): void
}

/** What a person means to do with a form, as the `Idempotency-Key` header names it. One per form. */
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
