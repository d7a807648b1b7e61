import type { Collection } from '@reelmark/contract/collections.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useSession } from '../../../shared/session/session.ts'
import { DialogFormFooter } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { AccessField } from '../access-field.tsx'
import { ViewBookmark } from '../add-bookmark/save-failure-notice.tsx'
import { type Destination, noDestination, suggestDestination } from '../destination/destination.ts'
import { DestinationFields } from '../destination/destination-fields.tsx'
import { useOwnCollections } from '../destination/use-own-collections.ts'
import { existingBookmarkId, type useCollectRequest } from './use-collect.ts'

const noErrors = {}

interface CollectFormProps<Result> {
  collecting: ReturnType<typeof useCollectRequest<Result>>
  submitText: string
  /** The access that is chosen at first; without it, the viewer's default. */
  initialAccess?: BookmarkAccess | undefined
  onCancel: () => void
  onDone: (result: Result, collection: Collection) => void
}

/** Chooses one of the viewer's collections and an access, and collects into it. */
export function CollectForm<Result>({
  collecting,
  submitText,
  initialAccess,
  onCancel,
  onDone,
}: CollectFormProps<Result>) {
  const collections = useOwnCollections()
  const { list } = collections
  const profile = useSession().user?.profile
  const preferred = profile?.default_bookmark_collection ?? null
  const [chosenAccess, setChosenAccess] = useState(initialAccess)
  // Until the profile is loaded, the server decides by the viewer's default.
  const access = chosenAccess ?? profile?.default_bookmark_access
  const [chosenDestination, setChosenDestination] = useState<Destination | null>(null)
  const [isCollectionMissing, setCollectionMissing] = useState(false)
  const { busy, error, errorText, run, reset } = collecting
  const form = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const destination =
    chosenDestination ?? (list.length === 0 ? noDestination : suggestDestination(list, { preferred }))
  const collection = list.find(({ id }) => id === destination.collection)
  const channels = collection?.channels ?? []

  const bookmarkId = existingBookmarkId(error)

  useEffect(() => {
    if (error !== null) notice.current?.focus()
  }, [error])

  function chooseDestination(next: Destination): void {
    setChosenDestination(next)
    setCollectionMissing(false)
    reset()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (collection === undefined) {
      setCollectionMissing(true)
      form.current?.querySelector<HTMLElement>('[name="collection"]')?.focus()
      return
    }
    const channel = channels.some(({ id }) => id === destination.channel) ? destination.channel : null
    const outcome = await run({ collection: collection.id, channel, ...(access !== undefined && { access }) })
    if (outcome !== null) onDone(outcome.reply, collection)
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event) => void submit(event)}
    >
      {errorText !== null && (
        <Notice ref={notice} tone={bookmarkId === null ? 'danger' : 'info'} urgent>
          <p>{errorText}</p>
          {bookmarkId !== null && <ViewBookmark id={bookmarkId} />}
        </Notice>
      )}
      <DestinationFields
        autofocus
        channelOptional
        destination={destination}
        onChange={chooseDestination}
        collections={collections}
        problems={isCollectionMissing ? { collection: 'Please select a collection.' } : noErrors}
      />
      <AccessField
        value={access ?? 'public'}
        onChange={(choice) => {
          setChosenAccess(choice)
          reset()
        }}
        isHidden={collection?.access === 'private'}
      />
      <DialogFormFooter submit={submitText} busy={busy} busyText="Adding..." onCancel={onCancel} />
    </form>
  )
}
