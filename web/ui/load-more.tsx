import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface LoadMoreProps {
  /** What reads the list, page by page. */
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => unknown
  }
  /** In the button's place where the next page could not be read. */
  failed: (retry: () => void) => ReactNode
}

/** The end of what is shown of a list: the way to its next page, if there is one. */
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
