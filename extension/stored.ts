/** What the extension stores on this device. Only the extension can read it. */
import type { BookmarkAccess, Orientation } from '@reelmark/contract/protocol/fields.ts'
import { browser } from './browser.ts'
import type { Destination } from './saves/choose-destination.ts'
import type { PendingSave } from './saves/pending-save.ts'

export interface Connection {
  /** The origin of the user's site, for example `https://videos.example.org`. */
  site: string
  username: string
  /** Null: the site no longer accepts the token, and the user must connect again. */
  token: string | null
}

/** What forms show of the user's account, also while the site cannot be reached. */
export interface AccountDetails {
  collections: {
    id: number
    name: string
    access: BookmarkAccess
    isWatchLater: boolean
    channels: { id: number; name: string }[]
  }[]
  /** Of new bookmarks. */
  access: BookmarkAccess
  orientation: Orientation
  /** The collection for new bookmarks; null: none chosen in the settings. */
  preferredCollection: number | null
}

export interface Stored {
  connection: Connection | null
  /** In the order in which they are sent. Only the background script writes them, one change after the other. */
  pendingSaves: PendingSave[]
  account: AccountDetails | null
  lastDestination: Destination | null
  /** Whether every visited page is looked up, instead of those on which the popup is opened. */
  checksEveryPage: boolean
}

const initial: Stored = {
  connection: null,
  pendingSaves: [],
  account: null,
  lastDestination: null,
  checksEveryPage: false,
}

export async function readStored<Key extends keyof Stored>(key: Key): Promise<Stored[Key]> {
  const found = (await browser.storage.local.get(key)) as Partial<Stored>
  return found[key] ?? initial[key]
}

export async function writeStored<Key extends keyof Stored>(key: Key, value: Stored[Key]): Promise<void> {
  await browser.storage.local.set({ [key]: value })
}

/** Removes everything that belongs to the site and the account. */
export async function clearStored(): Promise<void> {
  await browser.storage.local.clear()
  await browser.storage.session.clear()
}

/** Calls `listener` with each new value. Returns a function that ends this. */
export function watchStored<Key extends keyof Stored>(
  key: Key,
  listener: (value: Stored[Key]) => void,
): () => void {
  const onChanged = (changes: Record<string, chrome.storage.StorageChange>, area: string) => {
    const change = changes[key]
    if (area === 'local' && change !== undefined)
      listener((change.newValue as Stored[Key] | undefined) ?? initial[key])
  }
  browser.storage.onChanged.addListener(onChanged)
  return () => browser.storage.onChanged.removeListener(onChanged)
}
