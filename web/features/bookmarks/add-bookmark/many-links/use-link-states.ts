import { useQueries } from '@tanstack/react-query'
import { savesByUrlQuery } from '../queries.ts'
import type { LinkState } from './link-row.tsx'

/**
 * Returns the state of each link: the result of saving it, or else whether the viewer has a bookmark of it. A link that
 * cannot be checked counts as ready, because saving it checks again.
 */
export function useLinkStates(
  urls: readonly string[],
  results: ReadonlyMap<string, LinkState>,
): ReadonlyMap<string, LinkState> {
  const checks = useQueries({ queries: urls.map((url) => savesByUrlQuery(url)) })
  const states = new Map<string, LinkState>()
  urls.forEach((url, index) => {
    const check = checks[index]
    const bookmark = check?.data?.bookmarks[0]
    if (bookmark !== undefined)
      states.set(url, { state: 'known', title: bookmark.title, bookmarkId: bookmark.id })
    else states.set(url, { state: check?.isPending === true ? 'checking' : 'ready' })
  })
  for (const [url, result] of results) states.set(url, result)
  return states
}
