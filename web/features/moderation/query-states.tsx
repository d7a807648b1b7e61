import { isCallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { pageCount } from '@reelmark/contract/protocol/paging.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListBox, listBoxClass } from '../../ui/list-box.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'

interface QueryContentProps<T> {
  query: UseQueryResult<T>
  /** Used in texts: 'the log'. */
  subject: string
  /** Shown for a 404 response; without it, a 404 is shown like other errors. */
  missing?: ReactNode
  children: (data: T) => ReactNode
}

/** Shows the data of a query, or a placeholder or error until the data is loaded. Existing data stays during a refetch. */
export function QueryContent<T>({ query, subject, missing, children }: QueryContentProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) {
    if (missing !== undefined && isCallError(query.error) && query.error.status === 404) return missing
    return (
      <EmptyState title={`Couldn't load ${subject}`} text="This is usually temporary. Try again.">
        <Button tone="accent" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </EmptyState>
    )
  }
  return (
    <div role="status" aria-label={`Loading ${subject}`} className={listBoxClass}>
      {['first', 'second', 'third', 'fourth'].map((key) => (
        <div key={key} className="flex flex-col gap-2 p-4">
          <SkeletonLine className="w-1/2" />
          <SkeletonLine className="h-3 w-1/3" />
        </div>
      ))}
    </div>
  )
}

/** Goes to the first page if the current page does not exist, for example because its last entries were decided. */
export function useReturnToFirstPage({ error }: UseQueryResult, page: number, toFirst: () => void): void {
  const latest = useRef(toFirst)
  useEffect(() => {
    latest.current = toFirst
  })
  const isMissing = page > 1 && isCallError(error) && error.status === 404
  useEffect(() => {
    if (isMissing) latest.current()
  }, [isMissing])
}

interface PagedRowsProps {
  label: string
  /** The number of items on all pages. */
  count: number
  page: number
  /** Returns the link to a page; undefined is the first page. */
  linkTo: (page: number | undefined) => LinkProps
  children: ReactNode
}

/** A page of a list with links to the other pages. */
export function PagedRows({ label, count, page, linkTo, children }: PagedRowsProps) {
  return (
    <>
      <ListBox aria-label={label}>{children}</ListBox>
      <div className="mt-6">
        <Pager
          page={page}
          pages={pageCount(count, limits.pageSize)}
          linkTo={(number) => linkTo(number === 1 ? undefined : number)}
        />
      </div>
    </>
  )
}
