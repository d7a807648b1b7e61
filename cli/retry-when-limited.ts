import { setTimeout as sleep } from 'node:timers/promises'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { Context } from './command.ts'

/** The longest time for which a command waits by itself. The limits of the site are per ten minutes. */
const maxWaitSeconds = 600

/** Makes a call, and repeats it as soon as the site allows it if there were too many calls. */
export async function retryWhenLimited<T>(context: Context, makeCall: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await makeCall()
    } catch (error) {
      const seconds = isCallError(error) && error.code === 'rate-limited' ? error.retryAfter : null
      if (seconds === null || seconds > maxWaitSeconds) throw error
      context.note(`The site limits how fast links are saved. Waiting ${seconds} seconds…`)
      await sleep(seconds * 1000)
    }
  }
}
