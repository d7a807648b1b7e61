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
  /** 'the log': in what is said while it loads, and where it fails. */
  what: string
  /** What a 404 means; without it it is any other failure. */
  missing?: ReactNode
  children: (data: T) => ReactNode
}

/** What was asked for, or why it is not there yet. What was there stays while it is asked for again. */
export function QueryContent<T>({ query, what, missing, children }: QueryContentProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) {
    if (missing !== undefined && isCallError(query.error) && query.error.status === 404) return missing
    return (
      <EmptyState title={`Couldn't load ${what}`} text="This is usually temporary. Try again.">
        <Button tone="accent" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </EmptyState>
    )
  }
  return (
    <div role="status" aria-label={`Loading ${what}`} className={listBoxClass}>
      {['first', 'second', 'third', 'fourth'].map((key) => (
        <div key={key} className="flex flex-col gap-2 p-4">
          <SkeletonLine className="w-1/2" />
          <SkeletonLine className="h-3 w-1/3" />
        </div>
      ))}
    </div>
  )
}

/** A page that is not there, its last entries decided meanwhile by whomever, is left for the first. */
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
  /** Of all pages. */
  count: number
  page: number
  /** Where a page is; the first needs no number. */
  linkTo: (page: number | undefined) => LinkProps
  children: ReactNode
}

/** A page of a list, and the way to the others. */
export function PagedRows({ label, count, page, linkTo, children }: PagedRowsProps) {
  return (
    <>
      <ListBox aria-label={label}>{children}</ListBox>
      <div className="mt-6">
        <Pager
          page={page}
          pages={pageCount(count, limits.pageSize)}
          linkTo={(other) => linkTo(other === 1 ? undefined : other)}
        />
      </div>
    </>
  )
}
