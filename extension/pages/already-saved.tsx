import { Notice } from '@reelmark/web/ui/notice.tsx'
import { useDebouncedValue } from '@reelmark/web/ui/use-debounced-value.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { markTabSaved } from '../badge.ts'
import { findSaved, isSavable } from '../saves/find-saved.ts'

export const linkClass =
  'rounded-chip font-medium text-accent-ink underline underline-offset-4 hover:no-underline'

/** The number of bookmarks listed. */
const maxListed = 3

interface AlreadySavedProps {
  site: string
  /** As in the form. */
  url: string
  /** The tab to mark, if it shows this address. */
  tab: { id: number; url: string } | null
}

/** Shows whether the user has saved the video at an address. */
export function AlreadySaved({ site, url, tab }: AlreadySavedProps) {
  const requested = useDebouncedValue(url.trim(), 400)
  const { data } = useQuery({
    queryKey: ['saved', requested],
    queryFn: () => findSaved(requested),
    enabled: isSavable(requested),
  })
  const isSaved = data !== undefined && data.length > 0
  const tabId = isSaved && tab?.url === requested ? tab.id : null
  useEffect(() => {
    if (tabId !== null) void markTabSaved(tabId)
  }, [tabId])
  if (!isSaved) return null
  return (
    <Notice tone="success" polite title="Already in your bookmarks">
      <ul className="flex flex-col gap-1 text-13">
        {data.slice(0, maxListed).map(({ id, title, collection, channel }) => (
          <li key={id} className="wrap-anywhere text-quiet">
            <a href={`${site}/bookmarks/${id}`} target="_blank" rel="noreferrer" className={linkClass}>
              {title}
            </a>{' '}
            in {channel === null ? collection.name : `${collection.name} / ${channel.name}`}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
