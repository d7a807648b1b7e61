import type { Case } from '@reelmark/contract/cases.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { pageCount } from '@reelmark/contract/protocol/paging.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useState } from 'react'
import { useFocusAfter } from '../../../shared/hooks/use-focus-after.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ListBox, listBoxClass } from '../../../ui/list-box.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { casesQuery } from '../queries.ts'
import { useReturnToFirstPage } from '../query-states.tsx'
import { BulkDecisionBar } from './bulk-decision-form.tsx'
import { CaseFilters } from './case-filters.tsx'
import { CaseRow } from './case-row.tsx'
import { type CaseSearch, caseKeyText, isFiltered, readCaseKey } from './case-search.ts'
import { CaseView } from './case-view.tsx'

interface CasesPageProps {
  search: CaseSearch
  onSearch: (search: CaseSearch, options?: { replace?: boolean }) => void
}

const noCases: Case[] = []

/** Shows the list of cases with the open case next to it; on phones, one of the two. */
export function CasesPage({ search, onSearch }: CasesPageProps) {
  const cases = useQuery(casesQuery(search))
  const items = cases.data?.results ?? noCases
  useReturnToFirstPage(cases, search.page ?? 1, () =>
    onSearch({ ...search, page: undefined }, { replace: true }),
  )
  const [selected, setSelected] = useState<ReadonlyMap<string, Case>>(new Map())
  const [summary, focusSummary] = useFocusAfter<HTMLParagraphElement>()
  const caseKey = readCaseKey(search.case)
  const focusedIndex = items.findIndex((item) => caseKeyText(item) === search.case)

  function openCase(item: Case | undefined): void {
    if (item !== undefined) onSearch({ ...search, case: caseKeyText(item) }, { replace: caseKey !== null })
  }
  function toggleSelection(item: Case | undefined): void {
    if (item === undefined) return
    const name = caseKeyText(item)
    setSelected((before) => {
      const after = new Map(before)
      if (!after.delete(name) && after.size < limits.maxPageSize) after.set(name, item)
      return after
    })
  }
  /** Opens the next case after a decision, or the previous one after the last. */
  function openNextCase(): void {
    setSelected((before) => new Map([...before].filter(([name]) => name !== search.case)))
    const next = items[focusedIndex + 1] ?? items[focusedIndex - 1]
    if (next !== undefined && focusedIndex !== -1) openCase(next)
    else {
      onSearch({ ...search, case: undefined }, { replace: true })
      focusSummary()
    }
  }
  useShortcuts({
    j: () => openCase(items[focusedIndex + 1]),
    k: () => openCase(focusedIndex === -1 ? undefined : items[focusedIndex - 1]),
    x: () => toggleSelection(items[focusedIndex]),
  })

  const hasOpenCase = caseKey !== null
  return (
    <div>
      <div className={hasOpenCase ? 'max-lg:hidden' : ''}>
        <CaseFilters
          search={search}
          onChange={(change) => onSearch({ ...search, page: undefined, case: undefined, ...change })}
        />
      </div>
      <div className="mt-4 grid gap-x-6 lg:grid-cols-[340px_minmax(0,1fr)] xl:grid-cols-[380px_minmax(0,1fr)]">
        <section
          aria-label="Cases"
          className={`min-w-0 lg:sticky lg:top-[calc(var(--header-height)+16px)] lg:flex lg:max-h-[calc(100dvh-var(--header-height)-32px)] lg:flex-col lg:self-start ${hasOpenCase ? 'max-lg:hidden' : ''}`}
        >
          <div className="flex min-h-11 flex-wrap items-center gap-2 pb-2">
            <p
              ref={summary}
              role="status"
              tabIndex={-1}
              className="text-14 text-quiet tabular-nums outline-none"
            >
              {cases.data !== undefined && pluralise(cases.data.count, 'case')}
            </p>
            <BulkDecisionBar selected={selected} onChange={setSelected} />
          </div>
          {cases.data === undefined ? (
            cases.isError ? (
              <EmptyState title="Couldn't load the queue" text="This is usually temporary. Try again.">
                <Button tone="accent" onClick={() => void cases.refetch()}>
                  Try again
                </Button>
              </EmptyState>
            ) : (
              <CaseRowsSkeleton />
            )
          ) : items.length === 0 ? (
            <NoCases isFiltered={isFiltered(search)} onClear={() => onSearch({ case: search.case })} />
          ) : (
            <ListBox aria-label="Cases" className="lg:min-h-0 lg:overflow-y-auto">
              {items.map((item, index) => (
                <CaseRow
                  key={caseKeyText(item)}
                  item={item}
                  search={search}
                  isOpen={index === focusedIndex}
                  isSelected={selected.has(caseKeyText(item))}
                  onSelect={() => toggleSelection(item)}
                />
              ))}
            </ListBox>
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
        <div className={`min-w-0 ${hasOpenCase ? '' : 'max-lg:hidden'}`}>
          {caseKey === null ? (
            <NoCaseSelected hasCases={items.length > 0} />
          ) : (
            <CaseView
              key={search.case}
              caseKey={caseKey}
              onDone={openNextCase}
              back={
                <Link
                  to="/moderator"
                  search={{ ...search, case: undefined }}
                  className="-ml-2 mb-2 inline-flex h-11 items-center gap-2 rounded-control px-2 text-14 font-medium text-quiet hover:text-ink lg:hidden"
                >
                  <ArrowLeft className="size-4.5" />
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

function NoCases({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
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

const caseShortcuts = [
  ['j k', 'next and previous'],
  ['d v', 'remove, keep'],
  ['x', 'select'],
  ['?', 'all shortcuts'],
] as const

function NoCaseSelected({ hasCases }: { hasCases: boolean }) {
  if (!hasCases) return null
  return (
    <div className="flex min-h-80 flex-col items-center justify-center gap-5 rounded-card border border-dashed border-line px-6 py-16 text-center">
      <p className="text-16 font-medium text-ink">Select a case, or press J</p>
      <dl className="grid grid-cols-[auto_auto] items-center gap-x-4 gap-y-2 text-14">
        {caseShortcuts.map(([names, effect]) => (
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
            <dd className="text-left text-quiet">{effect}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function CaseRowsSkeleton() {
  return (
    <div role="status" aria-label="Loading the queue" className={listBoxClass}>
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
