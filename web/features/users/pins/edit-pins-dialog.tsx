import type { Collection } from '@reelmark/contract/collections.ts'
import { type ListingItem, listVideos } from '@reelmark/contract/listing.ts'
import { type Pin, setPins } from '@reelmark/contract/pins.ts'
import type { Profile } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { ReorderList } from '../../../ui/reorder-list.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { useOwnCollections } from '../../bookmarks/public-api.ts'
import { ContainerCover } from '../../collections/public-api.ts'
import { profileQuery } from '../profiles/queries.ts'
import { pinCover, pinTitle } from './pin.ts'

interface EditPinsDialogProps {
  open: boolean
  profile: Profile
  onClose: () => void
}

/** How many bookmarks and how many collections are offered. */
const offeredMax = 6

/** Chooses what is pinned to the viewer's profile, and its order. */
export function EditPinsDialog({ open, profile, onClose }: EditPinsDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Pinned"
      description={`Up to ${limits.pinsMax} of your public bookmarks and collections, at the top of your profile.`}
    >
      <PinsForm profile={profile} onClose={onClose} />
    </Dialog>
  )
}

/** A pinned item as a row. Ids of bookmarks and collections may be equal, so those of collections are negative. */
type Row = Pin & { item: number }

const toRow = (pin: Pin): Row => ({ ...pin, item: pin.kind === 'bookmark' ? pin.id : -pin.id })

function PinsForm({ profile: { username, pins }, onClose }: Omit<EditPinsDialogProps, 'open'>) {
  const client = useQueryClient()
  const [rows, setRows] = useState(() => pins.map(toRow))
  const { busy, errorText, run } = useApiMutation(setPins, {
    onSuccess(saved) {
      client.setQueryData(profileQuery(username).queryKey, (profile) => profile && { ...profile, ...saved })
      onClose()
      toast('Saved.', { tone: 'success' })
    },
  })
  return (
    <div className="flex flex-col gap-5 pt-1">
      <ErrorNotice text={errorText} />
      {rows.length > 0 && (
        <ReorderList
          label="Pinned"
          items={rows.map((row) => ({ ...row, id: row.item, name: pinTitle(row) }))}
          onChange={(moved) => setRows(moved.flatMap(({ item }) => rows.filter((row) => row.item === item)))}
          renderPicture={(row) => (
            <ContainerCover
              cover={pinCover(row)}
              name={row.title}
              className="my-1 mr-2 w-16 shrink-0 rounded-chip max-sm:hidden"
            />
          )}
          onRemove={({ item }) => setRows(rows.filter((row) => row.item !== item))}
        />
      )}
      {rows.length < limits.pinsMax ? (
        <Offers
          username={username}
          pinned={new Set(rows.map(({ item }) => item))}
          onAdd={(pin) => setRows([...rows, toRow(pin)])}
        />
      ) : (
        <p className="text-14 text-quiet">Remove an item to pin another one.</p>
      )}
      <DialogFooter>
        <Button disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button
          tone="accent"
          busy={busy}
          busyText="Saving..."
          onClick={() => void run({ body: { pins: rows.map(({ kind, id }) => ({ kind, id })) } })}
        >
          Save
        </Button>
      </DialogFooter>
    </div>
  )
}

interface OffersProps {
  username: string
  /** The items of the rows. */
  pinned: ReadonlySet<number>
  onAdd: (pin: Pin) => void
}

/** The viewer's public collections and bookmarks that match a search; without one, the first and the newest. */
function Offers({ username, pinned, onAdd }: OffersProps) {
  const [text, setText] = useState('')
  const q = useDebouncedValue(text.trim(), 250)
  const offers = useRef<HTMLUListElement>(null)
  const bookmarks = useQuery({
    queryKey: ['videos', 'pins', q] as const,
    queryFn: ({ signal }) =>
      api(
        listVideos,
        {
          query: {
            user: username,
            access: 'public',
            // As many as could be pinned already, and as many as are offered.
            page_size: limits.pinsMax + offeredMax,
            ...(q !== '' && { q }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
  const { list, failed } = useOwnCollections()
  const offered = [
    ...list.filter((collection) => isOffered(collection, q)).map(collectionPin),
    ...(bookmarks.data?.results ?? []).filter(({ is_public }) => is_public).map(bookmarkPin),
  ].filter((pin) => !pinned.has(toRow(pin).item))
  const shown = (['collection', 'bookmark'] as const).flatMap((kind) =>
    offered.filter((pin) => pin.kind === kind).slice(0, offeredMax),
  )
  function add(pin: Pin, index: number): void {
    flushSync(() => onAdd(pin))
    // The pressed button is gone. The next offer takes the focus, or the last one.
    const buttons = [...(offers.current?.querySelectorAll('button') ?? [])]
    const next = buttons[index] ?? buttons.at(-1)
    next?.focus()
  }

  return (
    <div className="flex flex-col gap-3">
      <SearchField
        label="Find a bookmark or collection"
        placeholder="Find a bookmark or collection"
        maxLength={limits.searchMax}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {(failed || bookmarks.isError) && <ErrorNotice text="Couldn't load your bookmarks. Try again." />}
      <ul
        ref={offers}
        aria-label="Not pinned"
        aria-busy={bookmarks.isFetching}
        className="flex flex-col gap-1"
      >
        {shown.map((pin, index) => (
          <li key={toRow(pin).item}>
            <button
              type="button"
              className="flex min-h-12 w-full items-center gap-3 rounded-control px-2 text-left text-14 text-ink transition-colors hover:bg-hover"
              onClick={() => add(pin, index)}
            >
              <ContainerCover cover={pinCover(pin)} name={pin.title} className="w-16 shrink-0 rounded-chip" />
              <span className="min-w-0 flex-1">
                <span className="line-clamp-1 wrap-anywhere">
                  <span className="sr-only">Pin </span>
                  {pinTitle(pin)}
                </span>
                {pin.kind === 'collection' && <span className="block text-13 text-quiet">Collection</span>}
              </span>
              <Plus className="size-4.5 shrink-0 text-quiet" />
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && bookmarks.isSuccess && (
        <p role="status" className="text-14 text-quiet">
          No public bookmarks or collections found.
        </p>
      )}
    </div>
  )
}

function isOffered({ name, access, is_watch_later }: Collection, q: string): boolean {
  return access === 'public' && is_watch_later !== true && name.toLowerCase().includes(q.toLowerCase())
}

function collectionPin({ id, name, cover_images }: Collection): Pin {
  return { kind: 'collection', id, title: name, images: cover_images, is_public: true }
}

function bookmarkPin({ id, title, thumbnail_url, orientation }: ListingItem): Pin {
  return { kind: 'bookmark', id, title, images: [{ url: thumbnail_url, orientation }], is_public: true }
}
