import type { Collection } from '@reelmark/contract/collections.ts'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useSession } from '../../session.ts'
import { DialogFormEnd } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { likelyPlace, nowhere, type Place } from '../saving/place.ts'
import { PlaceFields } from '../saving/place-fields.tsx'
import { ViewBookmark } from '../saving/save-failed.tsx'
import { useOwnCollections } from '../saving/use-own-collections.ts'
import type { useCollecting } from './use-collect.ts'

const noProblems = {}

interface CollectFormProps<Made> {
  collecting: ReturnType<typeof useCollecting<Made>>
  submitText: string
  onCancel: () => void
  onDone: (made: Made, into: Collection) => void
}

/** Chooses the place of one's own to collect into, and collects. */
export function CollectForm<Made>({ collecting, submitText, onCancel, onDone }: CollectFormProps<Made>) {
  const collections = useOwnCollections()
  const { list } = collections
  const preferred = useSession().user?.profile?.default_bookmark_collection ?? null
  const [chosen, setChosen] = useState<Place | null>(null)
  const [missing, setMissing] = useState(false)
  const { busy, problem, collect, forget } = collecting
  const form = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const place = chosen ?? (list.length === 0 ? nowhere : likelyPlace(list, { preferred }))
  const collection = list.find(({ id }) => id === place.collection)
  const channels = collection?.channels ?? []

  useEffect(() => {
    if (problem !== null) notice.current?.focus()
  }, [problem])

  function choose(next: Place): void {
    setChosen(next)
    setMissing(false)
    forget()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (collection === undefined) {
      setMissing(true)
      form.current?.querySelector<HTMLElement>('[name="collection"]')?.focus()
      return
    }
    const channel = channels.some(({ id }) => id === place.channel) ? place.channel : null
    const made = await collect({ collection: collection.id, channel })
    if (made !== null) onDone(made, collection)
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event) => void submit(event)}
    >
      {problem !== null && (
        <Notice ref={notice} tone={problem.bookmarkId === null ? 'danger' : 'info'} urgent>
          <p>{problem.text}</p>
          {problem.bookmarkId !== null && <ViewBookmark id={problem.bookmarkId} />}
        </Notice>
      )}
      <PlaceFields
        autofocus
        channelOptional
        place={place}
        onChange={choose}
        collections={collections}
        problems={missing ? { collection: 'Please select a collection.' } : noProblems}
      />
      <DialogFormEnd submit={submitText} busy={busy} busyText="Adding..." onCancel={onCancel} />
    </form>
  )
}
