import type { Collection } from '@reelmark/contract/collections.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import Clock from 'lucide-react/icons/clock'
import Folder from 'lucide-react/icons/folder'
import Hash from 'lucide-react/icons/hash'
import LibraryIcon from 'lucide-react/icons/library'
import ListFilter from 'lucide-react/icons/list-filter'
import Plus from 'lucide-react/icons/plus'
import Tags from 'lucide-react/icons/tags'
import { type DragEvent, lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { PrivateMark } from '../../shared/private-mark.tsx'
import type { SelectedItems } from '../bookmarks/public-api.ts'
import { collectionsQuery, loadNewContainerDialog, smartCollectionsQuery } from '../collections/public-api.ts'
import { droppedBookmarks, isBookmarkDrag } from './bookmark-drag.ts'
import type { LibrarySearch } from './library-search.ts'

const NewContainerDialog = lazy(() => loadNewContainerDialog().then((component) => ({ default: component })))

/** Where bookmarks can be dropped; null: in a collection that is still to be named. */
export type DropDestination = { collection: number; channel: number | null; name: string } | null

interface LibrarySidebarProps {
  username: string
  search: LibrarySearch
  onDrop: (bookmarks: SelectedItems, destination: DropDestination) => void
  /** A link was followed. */
  onFollow?: () => void
}

/** The collections, channels and smart collections of the viewer, as links that filter the library. */
export function LibrarySidebar({ username, search, onDrop, onFollow }: LibrarySidebarProps) {
  const { data: collections = [] } = useQuery(collectionsQuery(username))
  const { data: smartCollections = [] } = useQuery(smartCollectionsQuery(username))
  const [creating, setCreating] = useState<'never' | 'open' | 'closed'>('never')
  // On phones the page contains it twice: hidden, and in the sheet.
  const [collectionsId, smartCollectionsId] = [useId(), useId()]
  const watchLater = collections.find(({ is_watch_later }) => is_watch_later === true)
  const others = collections.filter((collection) => collection !== watchLater)
  const isAll = search.collection === undefined && search.channel === undefined
  const drop = (collection: Collection, channel: Collection['channels'][number] | null = null) => ({
    onDrop: (bookmarks: SelectedItems) =>
      onDrop(bookmarks, {
        collection: collection.id,
        channel: channel?.id ?? null,
        name: channel?.name ?? collection.name,
      }),
  })
  const link = (filter: Pick<LibrarySearch, 'collection' | 'channel'>): LinkProps => ({
    to: '/library',
    search: { ...search, page: undefined, collection: undefined, channel: undefined, ...filter },
  })
  return (
    <nav
      aria-label="Library"
      className="flex flex-col gap-6 text-14"
      onClickCapture={(event) => {
        if (event.target instanceof Element && event.target.closest('a') !== null) onFollow?.()
      }}
    >
      <ul>
        <Entry icon={<LibraryIcon />} name="All bookmarks" link={link({})} isCurrent={isAll} />
        {/* Also before it is known whether the user has one, so that the entries below do not move. */}
        <Entry
          icon={<Clock />}
          name={watchLater?.name ?? 'Watch Later'}
          {...(watchLater === undefined
            ? { link: { to: '/watch-later' }, isCurrent: false }
            : {
                count: watchLater.bookmarks_count,
                link: link({ collection: watchLater.id }),
                isCurrent: search.collection === watchLater.id,
                ...drop(watchLater),
              })}
        />
        <Entry icon={<Tags />} name="Tags" link={{ to: '/tags' }} isCurrent={false} />
      </ul>
      <section aria-labelledby={collectionsId}>
        <Heading id={collectionsId}>Collections</Heading>
        <ul>
          {others.map((collection) => (
            <Entry
              key={collection.id}
              icon={<Folder />}
              name={collection.name}
              count={collection.bookmarks_count}
              isPrivate={collection.access === 'private'}
              link={link({ collection: collection.id })}
              isCurrent={search.collection === collection.id}
              {...drop(collection)}
            >
              {collection.channels.length > 0 && (
                <ul className="ml-4">
                  {collection.channels.map((channel) => (
                    <Entry
                      key={channel.id}
                      icon={<Hash />}
                      name={channel.name}
                      count={channel.bookmarks_count}
                      link={link({ channel: channel.id })}
                      isCurrent={search.channel === channel.id}
                      {...drop(collection, channel)}
                    />
                  ))}
                </ul>
              )}
            </Entry>
          ))}
          <DropItem onDrop={(bookmarks) => onDrop(bookmarks, null)}>
            <button
              type="button"
              aria-haspopup="dialog"
              className={entryClass(false)}
              onClick={() => setCreating('open')}
            >
              <Plus />
              New collection
            </button>
          </DropItem>
        </ul>
      </section>
      {smartCollections.length > 0 && (
        <section aria-labelledby={smartCollectionsId}>
          <Heading id={smartCollectionsId}>Smart collections</Heading>
          <ul>
            {smartCollections.map(({ id, name, access }) => (
              <Entry
                key={id}
                icon={<ListFilter />}
                name={name}
                isPrivate={access === 'private'}
                link={{ to: '/smart-collections/$id', params: { id: String(id) } }}
                isCurrent={false}
              />
            ))}
          </ul>
        </section>
      )}
      <Suspense>
        {creating !== 'never' && (
          <NewContainerDialog
            collection={null}
            open={creating === 'open'}
            onClose={() => setCreating('closed')}
          />
        )}
      </Suspense>
    </nav>
  )
}

function Heading({ id, children }: { id: string; children: string }) {
  return (
    <h2 id={id} className="px-3 pb-1 text-13 font-semibold text-quiet">
      {children}
    </h2>
  )
}

const entryClass = (isCurrent: boolean) =>
  `flex min-h-9 w-full items-center gap-3 rounded-control px-3 py-1.5 text-left font-medium transition-colors hover:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 ${isCurrent ? 'bg-hover text-ink [&>svg]:text-accent-ink' : 'text-quiet hover:text-ink'}`

interface EntryProps {
  icon: ReactNode
  name: string
  count?: number
  isPrivate?: boolean
  link: LinkProps
  isCurrent: boolean
  onDrop?: (bookmarks: SelectedItems) => void
  /** The entries below it. */
  children?: ReactNode
}

function Entry({ icon, name, count, isPrivate = false, link, isCurrent, onDrop, children }: EntryProps) {
  return (
    <DropItem onDrop={onDrop}>
      <Link
        {...link}
        activeProps={{}}
        aria-current={isCurrent ? 'page' : undefined}
        className={entryClass(isCurrent)}
      >
        {icon}
        <span className="min-w-0 flex-1 wrap-anywhere">{name}</span>
        {isPrivate && <PrivateMark />}
        {count !== undefined && (
          <span className="text-13 text-quiet tabular-nums">{count.toLocaleString('en')}</span>
        )}
      </Link>
      {children}
    </DropItem>
  )
}

/** An item of the list, onto which bookmarks can be dropped if it has `onDrop`. */
function DropItem({
  onDrop,
  children,
}: {
  onDrop?: ((bookmarks: SelectedItems) => void) | undefined
  children: ReactNode
}) {
  const [isOver, setOver] = useState(false)
  if (onDrop === undefined) return <li>{children}</li>
  // An entry can contain others, which handle their own drags.
  const isHandled = (event: DragEvent) => event.defaultPrevented || !isBookmarkDrag(event)
  return (
    <li
      className={isOver ? 'rounded-control outline-2 outline-accent-ink' : ''}
      onDragOver={(event) => {
        setOver(!isHandled(event))
        if (!isHandled(event)) event.preventDefault()
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (isHandled(event)) return
        event.preventDefault()
        onDrop(droppedBookmarks(event))
      }}
    >
      {children}
    </li>
  )
}
