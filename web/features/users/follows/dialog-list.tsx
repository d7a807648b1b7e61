import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'

interface DialogListProps {
  /** The infinite query behind the list. Its first page was requested. */
  list: {
    data: unknown
    isError: boolean
    hasNextPage: boolean
    isFetchingNextPage: boolean
    refetch: () => unknown
    fetchNextPage: () => unknown
  }
  /** The number of loaded rows. */
  count: number
  /** Shown if a page cannot be loaded. */
  failedText: string
  /** Shown above the rows, because toasts are hidden behind a dialog. */
  problem: string | null
  /** The rows: `<li>` elements, each with a link. */
  children: ReactNode
}

/** A list in a dialog that scrolls and is loaded page by page. */
export function DialogList({ list, count, failedText, problem, children }: DialogListProps) {
  const rows = useRef<HTMLUListElement>(null)
  /** The number of rows when more were requested. */
  const previousCount = useRef<number | null>(null)
  useEffect(() => {
    if (previousCount.current === null || count <= previousCount.current) return
    // 'Load more' disappears with the last page, so the focus moves to the first row it loaded.
    if (!list.hasNextPage) rows.current?.children[previousCount.current]?.querySelector('a')?.focus()
    previousCount.current = null
  }, [count, list.hasNextPage])
  return (
    <div className="-mx-5 max-h-96 overflow-y-auto px-5">
      {problem !== null && (
        <Notice tone="danger" urgent className="sticky top-0">
          <p>{problem}</p>
        </Notice>
      )}
      {count > 0 && (
        <ul ref={rows} className="divide-y divide-line">
          {children}
        </ul>
      )}
      {list.isError && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-3 py-2 text-14">
          <p>{failedText}</p>
          <Button
            size="sm"
            onClick={() => void (list.data === undefined ? list.refetch() : list.fetchNextPage())}
          >
            Try again
          </Button>
        </div>
      )}
      {list.hasNextPage && !list.isError && (
        <div className="flex justify-center py-3">
          <Button
            busy={list.isFetchingNextPage}
            busyText="Loading..."
            onClick={() => {
              previousCount.current = count
              void list.fetchNextPage()
            }}
          >
            Load more
          </Button>
        </div>
      )}
    </div>
  )
}
