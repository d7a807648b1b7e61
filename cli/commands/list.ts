import { type ListingItem, type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import { endpointUrl } from '@reelmark/contract/protocol/call.ts'
import { maxPageSize } from '@reelmark/contract/protocol/limits.ts'
import { clockDuration } from '@reelmark/web/ui/duration.ts'
import type { Command, CommandInput, Context } from '../command.ts'
import { findDestination } from '../destination.ts'
import { usageError } from '../failures.ts'
import type { Site } from '../site.ts'
import { printable } from '../terminal.ts'

const listOptions = {
  collection: { type: 'string' },
  channel: { type: 'string' },
  limit: { type: 'string' },
} as const

const listHelp = `  --collection NAME  the collection, by name or id
  --channel NAME     the channel, by name or id
  --limit NUMBER     how many bookmarks at most (default: 25)`

export const listCommand: Command = {
  usage: '[options]',
  summary: 'list your bookmarks, newest first',
  help: listHelp,
  options: listOptions,
  run: (context, input) => {
    if (input.positionals.length > 0) throw usageError('Use "reelmark search" to search.')
    return printBookmarks(context, input, undefined)
  },
}

export const searchCommand: Command = {
  usage: 'QUERY [options]',
  summary: 'search your bookmarks',
  help: `The query has the same syntax as on the site: words, "a phrase", -word, tag:x, site:x.

${listHelp}
  --everyone         search the public bookmarks of all users`,
  options: { ...listOptions, everyone: { type: 'boolean' } },
  run: (context, input) => {
    const query = input.positionals.join(' ').trim()
    if (query === '') throw usageError('Enter what to search for.')
    return printBookmarks(context, input, query)
  },
}

async function printBookmarks(
  context: Context,
  { values }: CommandInput,
  q: string | undefined,
): Promise<boolean> {
  const { collection, channel, limit = '25' } = values as Record<string, string | undefined>
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw usageError('--limit must be a number from 1 to 999999.')
  const site = await context.openSite()
  const destination = await findDestination(site, { collection, channel })
  const bookmarks = await readBookmarks(site, Number(limit), {
    ...(values.everyone ? {} : { user: await site.readUsername() }),
    ...(q !== undefined && { q }),
    ...(destination.collection !== null && { collection: destination.collection.id }),
    ...(destination.channel !== null && { channel: destination.channel.id }),
  })
  const withLinks = bookmarks.map((item) => ({ ...item, url: `${site.address}/bookmarks/${item.id}` }))
  context.print(withLinks, bookmarks.map(formatBookmark).join('\n'))
  if (bookmarks.length === 0) context.note('No bookmarks found.')
  return true
}

/** Reads the pages of a listing until there are enough bookmarks. */
async function readBookmarks(site: Site, limit: number, query: ListingQuery): Promise<ListingItem[]> {
  const items: ListingItem[] = []
  let position: ListingQuery = {}
  for (;;) {
    const page_size = Math.min(limit, maxPageSize)
    const { results, next } = await site.call(listVideos, { query: { ...query, ...position, page_size } })
    items.push(...results)
    if (next === null || items.length >= limit) return items.slice(0, limit)
    position = readPosition(next)
  }
}

/** Returns the parameters of the next page that its address has in addition to those of this page. */
function readPosition(next: string): ListingQuery {
  const parameters = new URL(next, `http://site.example${endpointUrl(listVideos)}`).searchParams
  const cursor = parameters.get('cursor')
  return { page: Number(parameters.get('page') ?? '1'), ...(cursor !== null && { cursor }) }
}

function formatBookmark({ id, title, host, duration, created_at, is_public }: ListingItem): string {
  const facts = [
    printable(host),
    ...(duration === null ? [] : [clockDuration(duration)]),
    ...(is_public ? [] : ['private']),
  ]
  return `${String(id).padStart(6)}  ${created_at.slice(0, 10)}  ${printable(title)} (${facts.join(', ')})`
}
