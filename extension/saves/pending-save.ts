/** A save that was not sent yet, or that the site refused. */
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import type { Destination } from './choose-destination.ts'

/** What the user asked to save. */
export interface SaveRequest {
  url: string
  /** Blank: as the site finds it on the page. */
  title: string
  tags: readonly string[]
  /** Null: chosen when it is sent. */
  destination: Destination | null
  /** Null: the default of the account. */
  access: BookmarkAccess | null
  note: string
  /** Null: the time that the address names, otherwise the beginning. */
  startSeconds: number | null
}

export interface PendingSave {
  /** Identifies it here, and is its `Idempotency-Key`: however often it is sent, it is saved once. */
  key: string
  request: SaveRequest
  /**
   * The body of the request as JSON, fixed before it is first sent, because a key belongs to one request. As text, because
   * Chrome stores the fields of objects in another order. Null: not determined yet.
   */
  body: string | null
  /** Why it was refused. Null: it will be sent. */
  problem: string | null
}

/** Returns a request to save a page or link with everything else chosen by the site and the account. */
export function quickSave(url: string, title: string): SaveRequest {
  return { url, title, tags: [], destination: null, access: null, note: '', startSeconds: null }
}
