/** The list that a smart collection shows. */
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { parseSearch } from '@reelmark/contract/search-terms.ts'
import { isPersonalQuery, type SmartQuery } from '@reelmark/contract/smart-collections.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { addParameterTerms } from '../search-filters.ts'
import { findSmartQuery } from './queries.ts'

/** What a request for a smart collection may add. An orientation of the smart collection itself takes precedence. */
const combinableNames = ['q', 'sort', 'orientation', 'page', 'page_size', 'cursor', 'seed']

/**
 * Returns the parameters of the list that a request for a smart collection stands for; those of other requests stay. It is
 * read with the rights of the viewer, like a request with the same parameters. The request may add words, an order and an
 * orientation. Words are not corrected, because the correction would name words of the query.
 * @throws ApiError('not-found') if the viewer may not see the smart collection, InvalidFields for other filters
 */
export async function resolveSmartCollection(
  db: Db,
  request: ListingQuery,
  viewer: Viewer | null,
): Promise<ListingQuery> {
  const { smart_collection, literal: _, ...own } = request
  if (smart_collection === undefined) return request
  const other = Object.keys(own).find((name) => !combinableNames.includes(name))
  if (other !== undefined) {
    throw new InvalidFields({ [other]: ["This can't be combined with a smart collection."] })
  }
  const found = await findSmartQuery(db, smart_collection, viewer)
  if (found === null) throw new ApiError('not-found')
  const { scope, orientation = 'all', ...stored } = found.query
  return {
    ...own,
    ...stored,
    ...(orientation === 'all' ? {} : { orientation }),
    ...(scope === 'own' ? { user: found.username } : scope === 'liked' ? { liked_by: found.username } : {}),
    q: joinSearches(stored.q ?? '', own.q ?? ''),
    sort: own.sort === undefined || own.sort === 'all' ? (stored.sort ?? 'newest') : own.sort,
    literal: true,
  }
}

/** Joins two searches. An open quote ends with its search. */
function joinSearches(first: string, second: string): string {
  const isOpen = (first.split('"').length - 1) % 2 === 1
  return `${first}${isOpen ? '"' : ''} ${second}`.trim()
}

/** Checks a query as the list checks it. @throws InvalidFields at `query` or `access` */
export function requireValidQuery(query: SmartQuery, access: 'public' | 'private'): void {
  try {
    addParameterTerms(query, parseSearch(query.q ?? ''))
  } catch (error) {
    if (error instanceof InvalidFields) throw new InvalidFields({ query: error.body })
    throw error
  }
  if (query.scope !== 'own' && (query.collection !== undefined || query.channel !== undefined)) {
    throw new InvalidFields({ query: { scope: ['Only your own bookmarks are in your collections.'] } })
  }
  if (access === 'public' && isPersonalQuery(query)) {
    throw new InvalidFields({
      access: [
        'This search depends on what only you know, such as watched videos, notes or private bookmarks. It can only be private.',
      ],
    })
  }
}
