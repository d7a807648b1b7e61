import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface LoadMoreProps {
  /** The infinite query behind the list. */
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => unknown
  }
  /** Renders the replacement for the button after the next page failed to load. */
  failed: (retry: () => void) => ReactNode
}

/** The end of a paged list: a button that loads the next page, if there is one. */
export function LoadMore({ list, failed }: LoadMoreProps) {
  const next = () => void list.fetchNextPage()
  if (list.isFetchNextPageError) return failed(next)
  if (!list.hasNextPage) return null
  return (
    <Button className="self-center" busy={list.isFetchingNextPage} busyText="Loading..." onClick={next}>
      Load more
    </Button>
  )
}
