import type { Collection } from '@reelmark/contract/collections.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router'
import ExternalLink from 'lucide-react/icons/external-link'
import PanelLeft from 'lucide-react/icons/panel-left'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { OrientationSelect } from '../../shared/orientation/orientation-select.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SkeletonGrid } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import {
  MoveDialog,
  type PartialFailure,
  PartialFailureDialog,
  SelectButton,
  type SelectedItems,
  useBulkChange,
  useSelectionMode,
} from '../bookmarks/public-api.ts'
import { collectionsQuery, loadSaveSearch, useCollectionNames } from '../collections/public-api.ts'
import {
  EmptyFilteredList,
  isNarrowed,
  ListTools,
  listingQuery,
  PagedListing,
} from '../listing/public-api.ts'
import { PlayAll } from '../videos/public-api.ts'
import { startDrag } from './bookmark-drag.ts'
import { isByTime, isContainer, libraryListing } from './library-listing.ts'
import type { LibrarySearch } from './library-search.ts'
import { type DropDestination, LibrarySidebar } from './library-sidebar.tsx'
import { divideByPeriod } from './period-dividers.tsx'

const SaveSearch = lazy(() => loadSaveSearch().then((component) => ({ default: component })))

interface LibraryPageProps {
  username: string
  search: LibrarySearch
}

/** The page fills the window, so that the footer does not jump when the bookmarks are loaded. */
const gridClass =
  'page grid min-h-dvh grid-cols-[minmax(0,1fr)] gap-x-8 pt-4 sm:pt-8 lg:grid-cols-[240px_minmax(0,1fr)] 2xl:grid-cols-[280px_minmax(0,1fr)]'

/**
 * The title with the buttons beside it. The name, and whether the list can be played, are known only after the page is shown, so
 * both reserve their space: the name has one line, or two on phones, and the buttons below 768 px the width of four.
 */
function LibraryHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2 sm:mb-4">
      <PageTitle
        sizeClass="text-20/[1.1] sm:text-31/10"
        className="flex min-h-11 min-w-0 flex-1 basis-24 items-center sm:min-h-10"
        title={title}
      >
        <span className="line-clamp-2 hyphens-auto wrap-anywhere sm:line-clamp-1">{title}</span>
      </PageTitle>
      <div className="flex min-w-0 basis-52 flex-wrap justify-end gap-2 md:basis-auto">{children}</div>
    </div>
  )
}

/** Shown until the library is loaded, so that the footer does not appear in between. */
export function LibrarySkeleton() {
  return (
    <div className={gridClass}>
      <div className="max-lg:hidden" />
      <div>
        <LibraryHeader title="Library" />
        <div className="mb-1 h-13 sm:mb-6 sm:h-11" />
        <SkeletonGrid label="Loading bookmarks" />
      </div>
    </div>
  )
}

/** The viewer's own bookmarks: a sidebar with their collections, and the bookmarks that it and the filters choose. */
export function LibraryPage({ username, search }: LibraryPageProps) {
  const navigate = useNavigate({ from: '/library' })
  const [isMenuOpen, setMenuOpen] = useState(false)
  const first = libraryListing(username, { ...search, page: undefined })
  const { data: firstPage } = useQuery(listingQuery(first))
  const selecting = useSelectionMode(JSON.stringify(first))
  const { data: collections } = useQuery(collectionsQuery(username))
  const names = useCollectionNames(username)
  const chosen = chosenContainer(collections ?? [], search)
  const { drop, dialogs } = useDrop(selecting.stop)
  const sidebar = { username, search, onDrop: drop }
  return (
    <div className={gridClass}>
      <aside className="sticky top-(--header-height) -ml-3 max-h-[calc(100dvh-var(--header-height))] self-start overflow-y-auto py-1 pb-8 pl-1 max-lg:hidden">
        <LibrarySidebar {...sidebar} />
      </aside>
      {/* Cards are links or checkboxes, which have their own keys; the menu of each card moves it without dragging. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above. */}
      <div onDragStart={(event) => startDrag(event, selecting.selected.current)}>
        <LibraryHeader title={chosen?.name ?? 'Library'}>
          {/* The later a button appears, the further left it is, so that it moves no other. */}
          <PlayAll
            first={firstPage?.results[0]}
            query={first}
            className={buttonClass('plain', 'md', 'max-md:px-3 max-md:[&_span]:sr-only')}
          />
          {(firstPage?.count ?? 0) > 0 && <SelectButton selectionMode={selecting} />}
          {isContainer(search) && <OpenContainer search={search} />}
          <Button className="max-md:px-3 lg:hidden" aria-haspopup="dialog" onClick={() => setMenuOpen(true)}>
            <PanelLeft className="size-4 max-md:size-5" />
            <span className="max-md:sr-only">Collections</span>
          </Button>
        </LibraryHeader>
        <ListTools
          label="Search your bookmarks"
          kind="own"
          isInContainer={search.channel !== undefined}
          // The library is newest first, and offers the manual order of a collection or channel besides.
          ownOrder={isContainer(search) ? 'newest' : undefined}
          collectionName={chosen?.name}
          search={search}
          onSearch={(next) =>
            void navigate({ search: { ...search, ...(next as LibrarySearch) }, resetScroll: false })
          }
          linkTo={(next) => ({
            to: '/library',
            search: { ...search, ...(next as LibrarySearch) },
            resetScroll: false,
          })}
        >
          <OrientationSelect
            className="w-44 min-w-0"
            value={search.orientation}
            onChange={(orientation) =>
              void navigate({ search: { ...search, page: undefined, orientation }, resetScroll: false })
            }
          />
          <Suspense>
            <SaveSearch listing={first} />
          </Suspense>
        </ListTools>
        <PagedListing
          query={libraryListing(username, search)}
          linkTo={(page) => ({ to: '/library', search: { ...search, page: page === 1 ? undefined : page } })}
          empty={<EmptyLibrary search={search} />}
          selectionMode={selecting}
          collectionNames={names}
          divide={isByTime(search) ? divideByPeriod : undefined}
        />
      </div>
      <Dialog open={isMenuOpen} onClose={() => setMenuOpen(false)} title="Library" kind="side">
        <LibrarySidebar {...sidebar} onFollow={() => setMenuOpen(false)} />
      </Dialog>
      {dialogs}
    </div>
  )
}

/** Returns the collection or channel that the library shows. */
function chosenContainer(
  collections: readonly Collection[],
  { collection, channel }: LibrarySearch,
): { name: string } | undefined {
  return channel === undefined
    ? collections.find(({ id }) => id === collection)
    : collections.flatMap(({ channels }) => channels).find(({ id }) => id === channel)
}

/** The link to the own page of the collection or channel that the library shows. */
function OpenContainer({ search: { collection, channel } }: { search: LibrarySearch }) {
  const page: LinkProps =
    channel === undefined
      ? { to: '/collections/$id', params: { id: String(collection) } }
      : { to: '/channels/$id', params: { id: String(channel) } }
  return (
    <Link {...page} className={buttonClass('quiet', 'md', 'max-md:px-3')}>
      <ExternalLink className="size-4 max-md:size-5" />
      <span className="max-md:sr-only">{channel === undefined ? 'Open collection' : 'Open channel'}</span>
    </Link>
  )
}

/** Moves dropped bookmarks, and asks for the name of a new collection. Returns the dialogs for that. */
function useDrop(onMoved: () => void) {
  const [partialFailure, setPartialFailure] = useState<PartialFailure | null>(null)
  const [naming, setNaming] = useState<{ bookmarks: SelectedItems; open: boolean } | null>(null)
  const bulk = useBulkChange({ onPartialFailure: setPartialFailure })

  async function drop(bookmarks: SelectedItems, destination: DropDestination): Promise<void> {
    if (destination === null) {
      setNaming({ bookmarks, open: true })
      return
    }
    const { collection, channel, name } = destination
    const moved = await bulk.run(
      { action: 'move', collection_id: collection, channel_id: channel },
      bookmarks,
      (count) => `Moved ${count} to ${name}.`,
    )
    if (moved === null) toast("Couldn't move the bookmarks. Try again.", { tone: 'danger' })
    else onMoved()
  }
  const dialogs = (
    <>
      {naming !== null && (
        <MoveDialog
          bookmarks={naming.bookmarks}
          open={naming.open}
          onMoved={onMoved}
          onClose={() => setNaming({ ...naming, open: false })}
        />
      )}
      <PartialFailureDialog failure={partialFailure} onClose={() => setPartialFailure(null)} />
    </>
  )
  return { drop: (...args: Parameters<typeof drop>) => void drop(...args), dialogs }
}

/** Explains an empty library, and offers a next step. */
function EmptyLibrary({ search }: { search: LibrarySearch }) {
  const { collection, channel, page: _, sort: __, ...filters } = search
  if (isNarrowed(filters)) {
    return (
      <EmptyFilteredList
        search={filters}
        clear={{ to: '/library', search: { collection, channel }, resetScroll: false }}
      />
    )
  }
  const isPart = isContainer(search)
  return (
    <EmptyState
      title="No bookmarks found"
      text={
        isPart
          ? 'Move bookmarks here: drag them onto the name of a collection, or use Move in the menu of a card.'
          : 'Bookmarks you save appear here. Only you can see private ones.'
      }
    >
      <Link
        to="/bookmarks/create"
        search={collection === undefined ? {} : { collection }}
        className={buttonClass('accent')}
      >
        Add Bookmark
      </Link>
    </EmptyState>
  )
}
