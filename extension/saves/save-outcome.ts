import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { isRefusedToken, NotConnectedError } from '../api.ts'

export type SaveOutcome =
  | { kind: 'saved'; bookmarkId: number | null }
  /** The site refuses it for a reason that the user can change. */
  | { kind: 'refused'; text: string }
  /** It is sent again after that many seconds. `blocksOthers`: other saves would fail, too, for example without a network. */
  | { kind: 'waiting'; seconds: number; blocksOthers: boolean }
  /** The site does not accept the token, or the extension is not connected. */
  | { kind: 'disconnected' }

const defaultWaitSeconds = 60

/** Errors that end by themselves, and whether other saves fail in the meantime, too. */
const temporaryErrors: ReadonlyMap<string, boolean> = new Map([
  ['idempotency-key-in-use', false],
  ['internal-error', false],
  ['rate-limited', true],
  ['request-timeout', true],
  ['unavailable', true],
])

/** Returns what a failed save means for it. */
export function outcomeOfFailure(error: unknown): SaveOutcome {
  if (error instanceof NotConnectedError || isRefusedToken(error)) return { kind: 'disconnected' }
  if (!isCallError(error)) return { kind: 'waiting', seconds: defaultWaitSeconds, blocksOthers: false }
  const blocksOthers = error.code === null || temporaryErrors.get(error.code)
  if (blocksOthers !== undefined)
    return { kind: 'waiting', seconds: Math.max(error.retryAfter ?? 0, defaultWaitSeconds), blocksOthers }
  if (error.code === 'already-saved') return { kind: 'saved', bookmarkId: readBookmarkId(error.body) }
  return { kind: 'refused', text: errorTexts(error.body).join(' ') }
}

function readBookmarkId(body: unknown): number | null {
  const id = (body as { bookmark_id?: unknown } | null)?.bookmark_id
  return typeof id === 'number' ? id : null
}
