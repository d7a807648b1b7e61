/** How something is saved: the values of the fields that the popup and the page for tabs share. */
import { splitTags } from '@reelmark/contract/bookmarks.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useEffect, useState } from 'react'
import { loadAccountDetails } from '../saves/account-details.ts'
import { chooseDestination, type Destination } from '../saves/choose-destination.ts'
import type { SaveRequest } from '../saves/pending-save.ts'
import type { AccountDetails } from '../stored.ts'
import { useStored } from './use-stored.ts'

export interface SaveOptions {
  destination: Destination | null
  /** As typed, separated by commas. */
  tags: string
  /** Null: not known yet. The default of the account is used. */
  isPrivate: boolean | null
}

/**
 * Returns the details of the account: at first those of the last time, which stay if the site cannot be reached. Null:
 * not known yet.
 */
export function useAccount(isConnected: boolean): { account: AccountDetails | null; hasFailed: boolean } {
  const account = useStored('account')
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (isConnected)
      loadAccountDetails().then(
        () => setFailed(false),
        () => setFailed(true),
      )
  }, [isConnected])
  return { account: account ?? null, hasFailed: hasFailed || !isConnected }
}

/** Returns the options that the user changed, completed by those of the account. */
export function useSaveOptions(edited: Partial<SaveOptions>, account: AccountDetails | null): SaveOptions {
  const last = useStored('lastDestination')
  return {
    destination: account === null ? null : chooseDestination(account, last ?? null),
    tags: '',
    isPrivate: account === null ? null : account.access === 'private',
    ...edited,
  }
}

/** Returns what is wrong with the tags, or null. */
export function tagProblem(line: string): string | null {
  const tags = splitTags(line)
  if (tags.length > limits.tagsMax) return `Use up to ${limits.tagsMax} tags.`
  const isTooLong = tags.some((tag) => [...tag].length > limits.tagMax)
  return isTooLong ? `Tags can be up to ${limits.tagMax} characters.` : null
}

/** Returns the options as parts of a request to save. */
export function requestedOptions({
  destination,
  tags,
  isPrivate,
}: SaveOptions): Pick<SaveRequest, 'destination' | 'tags' | 'access'> {
  return {
    destination,
    tags: splitTags(tags),
    access: isPrivate === null ? null : isPrivate ? 'private' : 'public',
  }
}
