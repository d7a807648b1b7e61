import { type Emptied, removeChannel, removeCollection } from '@reelmark/contract/collections.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogEnd } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RadioChoices } from '../../ui/radio-choices.tsx'
import { toast } from '../../ui/toast.tsx'
import { nowhere, type Place } from '../saving/place.ts'
import { PlaceFields } from '../saving/place-fields.tsx'
import { useOwnCollections } from '../saving/use-own-collections.ts'
import { useAction } from '../settings/use-action.ts'
import { countOf, type ShownPlace } from './place.ts'
import { channelQuery, collectionQuery } from './queries.ts'

interface DeletePlaceDialogProps {
  place: ShownPlace
  open: boolean
  onClose: () => void
}

/** Deletes a collection or channel, once it is said what becomes of the bookmarks in it. */
export function DeletePlaceDialog({ place, open, onClose }: DeletePlaceDialogProps) {
  const title = place.kind === 'collection' ? 'Delete Collection' : 'Delete Channel'
  return (
    <Dialog open={open} onClose={onClose} title={title} description={place.name}>
      <DeleteForm place={place} title={title} onClose={onClose} />
    </Dialog>
  )
}

type Fate = 'stay' | 'move' | 'delete'

function DeleteForm({ place, title, onClose }: { place: ShownPlace; title: string; onClose: () => void }) {
  const client = useQueryClient()
  const router = useRouter()
  const { busy, problem, run } = useAction()
  const collections = useOwnOthers(place)
  const [fate, setFate] = useState<Fate>(place.kind === 'channel' ? 'stay' : 'move')
  const [target, setTarget] = useState<Place>(nowhere)
  const [missing, setMissing] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const isEmpty = place.bookmarksCount === 0

  const remove = (): Promise<Emptied> => {
    const params = { id: place.id }
    const query = {
      ...(isEmpty ? {} : { bookmarks: fate }),
      ...(!isEmpty && fate === 'move' && target.collection !== null && { to_collection: target.collection }),
      ...(!isEmpty && fate === 'move' && target.channel !== null && { to_channel: target.channel }),
    }
    if (place.kind === 'channel') return api(removeChannel, { params, query })
    const { bookmarks, ...where } = query
    return api(removeCollection, {
      params,
      query: { ...where, ...(bookmarks !== undefined && bookmarks !== 'stay' && { bookmarks }) },
    })
  }

  async function submit(): Promise<void> {
    if (!isEmpty && fate === 'move' && target.collection === null) {
      setMissing(true)
      form.current?.querySelector<HTMLElement>('[name="collection"]')?.focus()
      return
    }
    const done = await run(remove)
    if (done === null) return
    onClose()
    const { parent, user } = place
    await (parent === null
      ? router.navigate({
          to: '/users/$username',
          params: { username: user.username },
          search: { tab: 'collections' },
          replace: true,
        })
      : router.navigate({ to: '/collections/$id', params: { id: String(parent.id) }, replace: true }))
    const gone = place.kind === 'collection' ? collectionQuery(place.id) : channelQuery(place.id)
    client.removeQueries({ queryKey: gone.queryKey })
    void client.invalidateQueries()
    toast(`${place.name} deleted. ${becameOf(done.reply)}`.trim(), { tone: 'success' })
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {problem !== null && (
        <Notice tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      {isEmpty ? (
        <p className="text-14 text-ink">
          {place.channels.length > 0
            ? `This collection is empty. Its ${countOf(place.channels.length, 'channel')} will be deleted too.`
            : `This ${place.kind} is empty. You can't undo this.`}
        </p>
      ) : (
        <>
          <RadioChoices
            label={`What should happen to its ${countOf(place.bookmarksCount, 'bookmark')}?`}
            name="bookmarks"
            value={fate}
            onChange={setFate}
            choices={[
              ...(place.parent === null
                ? []
                : ([
                    {
                      value: 'stay',
                      label: `Keep in ${place.parent.name}`,
                      hint: "They won't be in a channel.",
                    },
                  ] as const)),
              { value: 'move', label: 'Move to another collection', hint: 'Duplicates go to the trash.' },
              {
                value: 'delete',
                label: 'Move to trash',
                hint: `You can restore them for ${limits.trashDays} days.`,
              },
            ]}
          />
          {fate === 'move' && (
            <PlaceFields
              channelOptional
              place={target}
              onChange={(next) => {
                setTarget(next)
                setMissing(false)
              }}
              collections={collections}
              problems={missing ? { collection: 'Please select a collection.' } : {}}
            />
          )}
          {place.channels.length > 0 && (
            <p className="text-13 text-quiet">
              Its {countOf(place.channels.length, 'channel')} will be deleted too.
            </p>
          )}
        </>
      )}
      <DialogEnd>
        <Button data-autofocus disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" tone="danger" busy={busy} busyText="Deleting...">
          {title}
        </Button>
      </DialogEnd>
    </form>
  )
}

/** One's collections and channels but the one that goes. */
function useOwnOthers(place: ShownPlace) {
  const own = useOwnCollections()
  const list =
    place.kind === 'collection'
      ? own.list.filter(({ id }) => id !== place.id)
      : own.list.map((one) => ({ ...one, channels: one.channels.filter(({ id }) => id !== place.id) }))
  return { ...own, list }
}

/** '3 bookmarks moved, 1 moved to trash.' */
function becameOf({ moved, trashed }: Emptied): string {
  const parts = [
    moved > 0 && `${countOf(moved, 'bookmark')} moved`,
    trashed > 0 &&
      `${moved > 0 ? trashed.toLocaleString('en') : countOf(trashed, 'bookmark')} moved to trash`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? '' : `${parts.join(', ')}.`
}
