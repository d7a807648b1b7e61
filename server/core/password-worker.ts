/** A thread that computes password hashes for core/passwords.ts, at a low priority: see there. */
import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, type Options, verifySync } from '@node-rs/argon2'

export interface HashWork {
  password: string
  /** What the password is checked against; null to hash it. */
  encoded: string | null
  parameters: Options
}

export type HashResult = { value: string | boolean } | { error: string }

// On Linux a priority is a thread's own. Elsewhere this would lower the whole process.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on('message', ({ password, encoded, parameters }: HashWork) => {
  parentPort?.postMessage(compute())

  function compute(): HashResult {
    try {
      const value = encoded === null ? hashSync(password, parameters) : verifySync(encoded, password)
      return { value }
    } catch (error) {
      return { error: String(error) }
    }
  }
})
