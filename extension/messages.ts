/** What the pages of the extension ask its background script to do. It continues if the popup is closed. */
import { browser } from './browser.ts'
import type { SaveRequest } from './saves/pending-save.ts'
import type { SaveOutcome } from './saves/save-outcome.ts'

export type Message =
  /** Saves videos. The reply is a list of `SaveResult` in the order of the requests. */
  | { type: 'save'; requests: SaveRequest[] }
  /** Sends what is pending. */
  | { type: 'send' }
  /** Sends a refused save again. */
  | { type: 'retry'; key: string }
  /** Removes a save without sending it. */
  | { type: 'discard'; key: string }
  /** Lets all pending saves wait until the user repeats or discards them. The reply is true. */
  | { type: 'stop'; problem: string }
  /** Disconnects from the site. The reply is whether the site revoked the token. */
  | { type: 'disconnect' }

export interface SaveResult {
  key: string
  outcome: SaveOutcome
}

/** Returns what happened to each request; an empty list if this device could not store them, or if it is not known. */
export async function requestSaves(requests: SaveRequest[]): Promise<SaveResult[]> {
  return ((await sendMessage({ type: 'save', requests })) as SaveResult[] | null) ?? []
}

/** @returns whether the site revoked the token */
export async function requestDisconnect(): Promise<boolean> {
  return (await sendMessage({ type: 'disconnect' })) === true
}

/** Returns the reply of the background script; null if it failed, or if the browser ended it before its reply. */
export function sendMessage(message: Message): Promise<unknown> {
  return browser.runtime.sendMessage(message).catch(() => null)
}
