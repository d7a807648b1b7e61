import type { SmartQuery } from '@reelmark/contract/smart-collections.ts'
import type { LinkProps } from '@tanstack/react-router'
import { readListSearch } from '../../listing/public-api.ts'

/**
 * Returns the link to the list that a query describes, with its search and filters. The tab Collections of the profile
 * shows collections and channels without filters, so these are opened in the library.
 */
export function searchLink({ scope, orientation, ...others }: SmartQuery, username: string): LinkProps {
  const { channel } = others
  const list = readListSearch({ ...others, orientation })
  if (scope === 'all') return { to: '/explore', search: { ...list, channel } }
  const isContainer = (list.collection ?? channel) !== undefined
  if (scope === 'own' && isContainer) return { to: '/library', search: { ...list, channel } }
  const tab = scope === 'liked' ? 'liked' : undefined
  return { to: '/users/$username', params: { username }, search: { ...list, tab } }
}
