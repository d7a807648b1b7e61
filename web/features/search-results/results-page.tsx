import { isCallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { pageCount } from '@reelmark/contract/protocol/paging.ts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { capitalise } from '../../ui/capitalise.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Pager } from '../../ui/pager.tsx'
import { HeaderSearchLabel, ListingCount, type ResultKind, ResultTabs } from '../listing/public-api.ts'
import { foundCollectionsQuery, foundTagsQuery, foundUsersQuery, type ResultsRequest } from './queries.ts'
import { CollectionGrid, ResultsSkeleton, TagList, UserList } from './result-lists.tsx'

interface ResultsPageProps {
  kind: ResultKind
  request: ResultsRequest
}

/** The collections, users or tags that a search finds. */
export function ResultsPage({ kind, request }: ResultsPageProps) {
  if (kind === 'collections') return <FoundCollections request={request} />
  if (kind === 'people') return <FoundUsers request={request} />
  return <FoundTags request={request} />
}

function FoundCollections({ request }: { request: ResultsRequest }) {
  const found = useQuery(foundCollectionsQuery(request))
  return (
    <Results kind="collections" request={request} found={found}>
      {(results) => <CollectionGrid collections={results} />}
    </Results>
  )
}

function FoundUsers({ request }: { request: ResultsRequest }) {
  const found = useQuery(foundUsersQuery(request))
  return (
    <Results kind="people" request={request} found={found}>
      {(results) => <UserList users={results} />}
    </Results>
  )
}

function FoundTags({ request }: { request: ResultsRequest }) {
  const found = useQuery(foundTagsQuery(request))
  return (
    <Results kind="tags" request={request} found={found}>
      {(results) => <TagList tags={results} />}
    </Results>
  )
}

interface FoundPage<Row> {
  count: number
  results: Row[]
}

interface ResultsProps<Row> extends ResultsPageProps {
  found: UseQueryResult<FoundPage<Row>>
  children: (results: Row[]) => ReactNode
}

/** Title, tabs, pager, and the states in which there are no results to show. */
function Results<Row>({ kind, request, found, children }: ResultsProps<Row>) {
  const { q, page = 1 } = request
  const pages = found.data === undefined ? 1 : pageCount(found.data.count, limits.pageSize)
  const renderContent = () => {
    if (found.isPending) return <ResultsSkeleton kind={kind} />
    if (found.isError) {
      return isCallError(found.error) && found.error.status === 404 ? (
        <EmptyState title="This page doesn't exist">
          <Link to="/explore/$kind" params={{ kind }} search={{ q }} className={buttonClass('accent')}>
            Go to the first page
          </Link>
        </EmptyState>
      ) : (
        <EmptyState title={`Couldn't load ${kind}`} text="This is usually temporary. Try again.">
          <Button tone="accent" onClick={() => void found.refetch()}>
            Try again
          </Button>
        </EmptyState>
      )
    }
    if (found.data.results.length > 0) return children(found.data.results)
    return (
      <EmptyState title={`No ${kind} found`} text="Try a different search.">
        <Link to="/explore" search={{ q }} className={buttonClass('accent')}>
          Search videos
        </Link>
      </EmptyState>
    )
  }
  return (
    <div className="page pt-3 sm:pt-12">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 sm:flex-col sm:gap-1">
        <PageTitle sizeClass="text-20 sm:text-31">Explore {capitalise(kind)}</PageTitle>
        <ListingCount page={page} listing={found.data} />
      </header>
      <ResultTabs q={q} />
      <HeaderSearchLabel q={q} />
      <section aria-labelledby="results" aria-busy={found.isFetching} className="mt-3 sm:mt-6">
        <h2 id="results" className="sr-only">
          Results
        </h2>
        {renderContent()}
      </section>
      <div className="mt-12">
        <Pager
          page={page}
          pages={pages}
          linkTo={(number) => ({
            to: '/explore/$kind',
            params: { kind },
            search: { q, page: number === 1 ? undefined : number },
          })}
        />
      </div>
    </div>
  )
}
