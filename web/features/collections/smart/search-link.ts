import type { SmartQuery } from '@reelmark/contract/smart-collections.ts'
import type { LinkProps } from '@tanstack/react-router'
import { readListSearch } from '../../listing/public-api.ts'

/** Returns the link to the list that a query describes, with its search and filters. */
export function searchLink({ scope, orientation, ...others }: SmartQuery, username: string): LinkProps {
  const { channel } = others
  const { collection, ...search } = readListSearch({ ...others, orientation })
  if (scope === 'all') return { to: '/explore', search: { ...search, collection, channel } }
  const tab = scope === 'liked' ? 'liked' : collection === undefined ? undefined : 'collections'
  return {
    to: '/users/$username',
    params: { username },
    search: { ...search, tab, collection, channel },
  }
}
