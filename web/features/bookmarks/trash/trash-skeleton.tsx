import * as limits from '@reelmark/contract/protocol/limits.ts'
import Trash2 from 'lucide-react/icons/trash'
import type { ComponentProps, ReactNode, RefObject } from 'react'
import { Button } from '../../../ui/button.tsx'
import { listBoxClass } from '../../../ui/list-box.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { SkeletonLine } from '../../../ui/skeleton.tsx'

/** The heading of the page, and the button beside it. */
export function TrashHeader({
  heading,
  children,
}: {
  heading?: RefObject<HTMLHeadingElement | null>
  children: ReactNode
}) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div>
        <PageTitle ref={heading} tabIndex={-1} className="outline-none">
          Trash
        </PageTitle>
        <p className="measure mt-1 text-14 text-quiet">
          Bookmarks stay here for {limits.trashRetentionDays} days before they're permanently deleted. Only
          you can see them.
        </p>
      </div>
      {children}
    </header>
  )
}

export function EmptyTrashButton(props: Pick<ComponentProps<'button'>, 'className' | 'onClick'>) {
  return (
    <Button aria-haspopup="dialog" {...props}>
      <Trash2 className="-ml-0.5 size-4" />
      Empty trash
    </Button>
  )
}

/** The page as the server renders it, without knowing the viewer. */
export function TrashSkeleton() {
  return (
    <div className="page min-h-dvh max-w-260! pt-8 pb-12 sm:pt-12">
      <TrashHeader>
        <EmptyTrashButton className="invisible" />
      </TrashHeader>
      <div className="mt-8">
        {/* The tools. */}
        <div className="mb-1 h-13 sm:mb-6 sm:h-11" />
        <TrashRowsSkeleton />
      </div>
    </div>
  )
}

/** Rows below the space of their number. */
export function TrashRowsSkeleton() {
  return (
    <div role="status" aria-label="Loading the trash" className="pt-12">
      <div className={listBoxClass}>
        {Array.from({ length: 8 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
          <div key={row} className="flex items-center gap-4 p-3 sm:px-4">
            <div className="skeleton aspect-video w-24 shrink-0 sm:w-32" />
            <div className="flex min-w-0 flex-1 flex-col gap-2">
              <SkeletonLine className="w-64 max-w-full" />
              <SkeletonLine className="h-3 w-40 max-w-full" />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
