import type { Collection } from '@reelmark/contract/collections.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useSession } from '../../../shared/session/session.ts'
import { DialogFormFooter } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ViewBookmark } from '../add-bookmark/save-failure-notice.tsx'
import { type Destination, noDestination, suggestDestination } from '../destination/destination.ts'
import { DestinationFields } from '../destination/destination-fields.tsx'
import { useOwnCollections } from '../destination/use-own-collections.ts'
import { existingBookmarkId, type useCollectRequest } from './use-collect.ts'

const noErrors = {}

interface CollectFormProps<Made> {
  collecting: ReturnType<typeof useCollectRequest<Made>>
  submitText: string
  onCancel: () => void
  onDone: (created: Made, into: Collection) => void
}

/** Chooses one of the viewer's collections and collects into it. */
export function CollectForm<Made>({ collecting, submitText, onCancel, onDone }: CollectFormProps<Made>) {
  const collections = useOwnCollections()
  const { list } = collections
  const preferred = useSession().user?.profile?.default_bookmark_collection ?? null
  const [chosen, setChosen] = useState<Destination | null>(null)
  const [missing, setMissing] = useState(false)
  const { busy, error, errorText, run, reset } = collecting
  const form = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const destination = chosen ?? (list.length === 0 ? noDestination : suggestDestination(list, { preferred }))
  const collection = list.find(({ id }) => id === destination.collection)
  const channels = collection?.channels ?? []

  const bookmarkId = existingBookmarkId(error)

  useEffect(() => {
    if (error !== null) notice.current?.focus()
  }, [error])

  function choose(next: Destination): void {
    setChosen(next)
    setMissing(false)
    reset()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (collection === undefined) {
      setMissing(true)
      form.current?.querySelector<HTMLElement>('[name="collection"]')?.focus()
      return
    }
    const channel = channels.some(({ id }) => id === destination.channel) ? destination.channel : null
    const done = await run({ collection: collection.id, channel })
    if (done !== null) onDone(done.reply, collection)
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
        onChange={choose}
        collections={collections}
        problems={missing ? { collection: 'Please select a collection.' } : noErrors}
      />
      <DialogFormFooter submit={submitText} busy={busy} busyText="Adding..." onCancel={onCancel} />
    </form>
  )
}
