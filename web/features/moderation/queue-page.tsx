import { limits } from '@reelmark/contract/limits.ts'
import type { Case } from '@reelmark/contract/moderation.ts'
import { pageCount } from '@reelmark/contract/paging.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { counted } from '../../ui/counted.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePageKeys } from '../../ui/keys.ts'
import { Pager } from '../../ui/pager.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { CaseRow } from './case-row.tsx'
import { CaseView } from './case-view.tsx'
import { useFirstPageInstead } from './list-state.tsx'
import { casesQuery } from './queries.ts'
import { QueueFilters } from './queue-filters.tsx'
import { caseName, isFiltered, type QueueSearch, readCaseName } from './queue-search.ts'

interface QueuePageProps {
  search: QueueSearch
  onSearch: (search: QueueSearch, options?: { replace?: boolean }) => void
}

const none: Case[] = []

/** What is reported: the list, and beside it the case that is looked at. On a phone one of the two. */
export function QueuePage({ search, onSearch }: QueuePageProps) {
  const cases = useQuery(casesQuery(search))
  const items = cases.data?.results ?? none
  useFirstPageInstead(cases, search.page ?? 1, () =>
    onSearch({ ...search, page: undefined }, { replace: true }),
  )
  const [picked, setPicked] = useState<ReadonlyMap<string, Case>>(new Map())
  const summary = useRef<HTMLParagraphElement>(null)
  const caseKey = readCaseName(search.case)
  const at = items.findIndex((item) => caseName(item) === search.case)

  function look(item: Case | undefined): void {
    if (item !== undefined) onSearch({ ...search, case: caseName(item) }, { replace: caseKey !== null })
  }
  function pick(item: Case | undefined): void {
    if (item === undefined) return
    const name = caseName(item)
    setPicked((before) => {
      const after = new Map(before)
      if (!after.delete(name) && after.size < limits.maxPageSize) after.set(name, item)
      return after
    })
  }
  /** Decided: on to the next, or to the one before where it was the last. */
  function goOn(): void {
    setPicked((before) => new Map([...before].filter(([name]) => name !== search.case)))
    const next = items[at + 1] ?? items[at - 1]
    if (next !== undefined && at !== -1) look(next)
    else {
      onSearch({ ...search, case: undefined }, { replace: true })
      setTimeout(() => summary.current?.focus())
    }
  }
  usePageKeys({
    j: () => look(items[at + 1]),
    k: () => look(at === -1 ? undefined : items[at - 1]),
    x: () => pick(items[at]),
  })

  const isLooking = caseKey !== null
  return (
    <div>
      <div className={isLooking ? 'max-lg:hidden' : ''}>
        <QueueFilters
          search={search}
          onChange={(change) => onSearch({ ...search, page: undefined, case: undefined, ...change })}
        />
      </div>
      <div className="mt-4 grid gap-x-6 lg:grid-cols-[340px_minmax(0,1fr)] xl:grid-cols-[380px_minmax(0,1fr)]">
        <section
          aria-label="Cases"
          className={`min-w-0 lg:sticky lg:top-[calc(var(--header-height)+16px)] lg:flex lg:max-h-[calc(100dvh-var(--header-height)-32px)] lg:flex-col lg:self-start ${isLooking ? 'max-lg:hidden' : ''}`}
        >
          <div className="flex min-h-11 flex-wrap items-center gap-2 pb-2">
            <p
              ref={summary}
              role="status"
              tabIndex={-1}
              className="text-14 text-quiet tabular-nums outline-none"
            >
              {cases.data !== undefined && counted(cases.data.count, 'case')}
            </p>
            <BulkActions picked={picked} onChange={setPicked} />
          </div>
          {cases.data === undefined ? (
            cases.isError ? (
              <EmptyState title="Couldn't load the queue" text="This is usually temporary. Try again.">
                <Button tone="accent" onClick={() => void cases.refetch()}>
                  Try again
                </Button>
              </EmptyState>
            ) : (
              <RowsOnTheirWay />
            )
          ) : items.length === 0 ? (
            <NothingThere isFiltered={isFiltered(search)} onClear={() => onSearch({ case: search.case })} />
          ) : (
            <ul
              aria-label="Cases"
              className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised lg:min-h-0 lg:overflow-y-auto"
            >
              {items.map((item, index) => (
                <CaseRow
                  key={caseName(item)}
                  item={item}
                  search={search}
                  isOpen={index === at}
                  isPicked={picked.has(caseName(item))}
                  onPick={() => pick(item)}
                />
              ))}
            </ul>
          )}
          <div className="mt-4 empty:hidden">
            <Pager
              page={search.page ?? 1}
              pages={pageCount(cases.data?.count ?? 0, limits.pageSize)}
              linkTo={(page) => ({
                to: '/moderator',
                search: { ...search, case: undefined, page: page === 1 ? undefined : page },
              })}
            />
          </div>
        </section>
        <div className={`min-w-0 ${isLooking ? '' : 'max-lg:hidden'}`}>
          {caseKey === null ? (
            <NothingOpen hasCases={items.length > 0} />
          ) : (
            <CaseView
              key={search.case}
              caseKey={caseKey}
              onDone={goOn}
              back={
                <Link
                  to="/moderator"
                  search={{ ...search, case: undefined }}
                  className="-ml-2 mb-2 inline-flex h-11 items-center gap-2 rounded-control px-2 text-14 font-medium text-quiet hover:text-ink lg:hidden"
                >
                  <ArrowLeft aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
                  Queue
                </Link>
              }
            />
          )}
        </div>
      </div>
    </div>
  )
}

function NothingThere({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <EmptyState title="No cases match these filters">
      <Button tone="accent" onClick={onClear}>
        Clear filters
      </Button>
    </EmptyState>
  ) : (
    <EmptyState title="No open cases" text="New reports appear here, most serious first." />
  )
}

const keys = [
  ['j k', 'next and previous'],
  ['a r', 'approve, reject'],
  ['x', 'select'],
  ['?', 'all shortcuts'],
] as const

function NothingOpen({ hasCases }: { hasCases: boolean }) {
  if (!hasCases) return null
  return (
    <div className="flex min-h-80 flex-col items-center justify-center gap-5 rounded-card border border-dashed border-line px-6 py-16 text-center">
      <p className="text-16 font-medium text-ink">Select a case, or press J</p>
      <dl className="grid grid-cols-[auto_auto] items-center gap-x-4 gap-y-2 text-14">
        {keys.map(([names, does]) => (
          <div key={names} className="contents">
            <dt className="flex justify-end gap-1">
              {names.split(' ').map((name) => (
                <kbd
                  key={name}
                  className="inline-flex h-6 min-w-6 items-center justify-center rounded-chip border border-line-strong bg-sunken px-1.5 font-sans text-12 font-medium"
                >
                  {name}
                </kbd>
              ))}
            </dt>
            <dd className="text-left text-quiet">{does}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function RowsOnTheirWay() {
  return (
    <div
      role="status"
      aria-label="Loading the queue"
      className="divide-y divide-line rounded-card border border-line bg-raised"
    >
      {['first', 'second', 'third', 'fourth', 'fifth'].map((key) => (
        <div key={key} className="flex gap-3 p-3">
          <div className="skeleton aspect-video w-20 shrink-0" />
          <div className="flex min-w-0 flex-1 flex-col gap-2">
            <SkeletonLine className="w-11/12" />
            <SkeletonLine className="h-3 w-1/2" />
          </div>
        </div>
      ))}
    </div>
  )
}
