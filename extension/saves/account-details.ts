import { type Collection, listCollections } from '@reelmark/contract/collections.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { api } from '../api.ts'
import { type AccountDetails, readStored, writeStored } from '../stored.ts'

/** Requests the details of the account and stores them for the next time. */
export async function loadAccountDetails(): Promise<AccountDetails> {
  const connection = await readStored('connection')
  const username = connection?.username ?? ''
  const [collections, profile] = await Promise.all([
    loadCollections(),
    api(getProfile, { params: { username } }),
  ])
  const account: AccountDetails = {
    collections: collections.map(({ id, name, access, is_watch_later, channels }) => ({
      id,
      name,
      access,
      isWatchLater: is_watch_later === true,
      channels: channels.map((channel) => ({ id: channel.id, name: channel.name })),
    })),
    access: profile.default_bookmark_access ?? 'public',
    orientation: profile.default_bookmark_orientation ?? 'sfw',
    preferredCollection: profile.default_bookmark_collection ?? null,
  }
  // The user may have disconnected meanwhile.
  if ((await readStored('connection'))?.token === connection?.token) await writeStored('account', account)
  return account
}

async function loadCollections(): Promise<Collection[]> {
  const all: Collection[] = []
  for (let page = 1; ; page++) {
    const { results, next } = await api(listCollections, { query: { page, page_size: limits.maxPageSize } })
    all.push(...results)
    if (next === null) return all
  }
}
