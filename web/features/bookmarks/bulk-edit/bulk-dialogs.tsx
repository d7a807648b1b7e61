import { splitTags } from '@reelmark/contract/bookmarks.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ChoiceCards } from '../../../ui/choice-cards.tsx'
import { Dialog, DialogFormFooter } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { noDestination } from '../destination/destination.ts'
import { DestinationFields } from '../destination/destination-fields.tsx'
import { useOwnCollections } from '../destination/use-own-collections.ts'
import { bookmarkQuery } from '../queries.ts'
import { TagsInput } from '../tags/tags-input.tsx'
import { EditBookmarkDialog } from '../update/edit-bookmark-dialog.tsx'
import type { SelectedItems } from './selection.ts'
import type { BulkChange } from './use-bulk-change.ts'

export type BulkDialogName = 'move' | 'tag' | 'untag' | 'access' | 'edit'

interface BulkDialogsProps {
  dialog: BulkDialogName | null
  selected: SelectedItems
  busy: boolean
  problem: string | null
  /** Applies the change. The dialog closes if it succeeded. */
  onSubmit: (change: BulkChange, successText: (bookmarks: string) => string) => void
  onClose: () => void
}

/** The dialogs of bulk edits. */
export function BulkDialogs({ dialog, selected, onClose, ...rest }: BulkDialogsProps) {
  const bookmarks = pluralise(selected.size, 'bookmark')
  const titles: Record<Exclude<BulkDialogName, 'edit'>, string> = {
    move: `Move ${bookmarks}`,
    tag: `Add tags to ${bookmarks}`,
    untag: `Remove tags from ${bookmarks}`,
    access: `Change access for ${bookmarks}`,
  }
  const [onlyId] = selected.keys()
  const openDialog = dialog === 'edit' ? null : dialog
  return (
    <>
      <Dialog open={openDialog !== null} onClose={onClose} title={titles[openDialog ?? 'move']}>
        {openDialog === 'move' && <MoveForm onClose={onClose} {...rest} />}
        {(openDialog === 'tag' || openDialog === 'untag') && (
          <TagsForm action={openDialog} onClose={onClose} {...rest} />
        )}
        {openDialog === 'access' && <AccessForm onClose={onClose} {...rest} />}
      </Dialog>
      {onlyId !== undefined && (
        <EditSelectedBookmark id={onlyId} open={dialog === 'edit'} onClose={onClose} />
      )}
    </>
  )
}

type FormProps = Omit<BulkDialogsProps, 'dialog' | 'selected'>

function BulkForm({
  busy,
  problem,
  action,
  onSubmit,
  onClose,
  children,
}: FormProps & { action: string; onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {problem !== null && (
        <Notice tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      {children}
      <DialogFormFooter submit={action} busy={busy} onCancel={onClose} />
    </form>
  )
}

const noErrors = {}

function MoveForm({ onSubmit: onChange, ...rest }: FormProps) {
  const collections = useOwnCollections()
  const [destination, setDestination] = useState(noDestination)
  const [missing, setMissing] = useState(false)

  function submit(): void {
    const collection = collections.list.find(({ id }) => id === destination.collection)
    if (collection === undefined) {
      setMissing(true)
      return
    }
    const channel = collection.channels.find(({ id }) => id === destination.channel)
    const name = channel === undefined ? collection.name : `${collection.name}, ${channel.name}`
    onChange(
      { action: 'move', collection_id: collection.id, channel_id: channel?.id ?? null },
      (bookmarks) => `${bookmarks} moved to ${name}.`,
    )
  }

  return (
    <BulkForm {...rest} action="Move" onSubmit={submit}>
      <DestinationFields
        autofocus
        channelOptional
        destination={destination}
        onChange={(next) => {
          setDestination(next)
          setMissing(false)
        }}
        collections={collections}
        problems={missing ? { collection: 'Please select a collection.' } : noErrors}
      />
    </BulkForm>
  )
}

function TagsForm({ action, onSubmit: onChange, ...rest }: FormProps & { action: 'tag' | 'untag' }) {
  const [line, setLine] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  function submit(): void {
    const tags = splitTags(line)
    if (tags.length === 0 || tags.length > limits.tagsMax) {
      setProblem(tags.length === 0 ? 'Enter at least one tag.' : `At most ${limits.tagsMax} tags.`)
      return
    }
    const names = pluralise(tags.length, 'tag')
    onChange({ action, tags }, (bookmarks) =>
      action === 'tag' ? `${names} added to ${bookmarks}.` : `${names} removed from ${bookmarks}.`,
    )
  }

  return (
    <BulkForm {...rest} action={action === 'tag' ? 'Add tags' : 'Remove tags'} onSubmit={submit}>
      <Field
        label="Tags"
        error={problem}
        hint={
          action === 'tag'
            ? 'Separate tags with commas. Existing tags are kept.'
            : 'Separate tags with commas. Other tags are kept.'
        }
      >
        <TagsInput
          autofocus
          required
          value={line}
          onChange={(next) => {
            setLine(next)
            setProblem(null)
          }}
        />
      </Field>
    </BulkForm>
  )
}

const accessChoices = [
  { value: 'public', label: 'Public', hint: 'Anyone can see them, unless their collection is private.' },
  { value: 'private', label: 'Private', hint: 'Only you can see them.' },
] as const

function AccessForm({ onSubmit: onChange, ...rest }: FormProps) {
  const [access, setAccess] = useState<BookmarkAccess>('private')
  return (
    <BulkForm
      {...rest}
      action={access === 'private' ? 'Make private' : 'Make public'}
      onSubmit={() => onChange({ action: 'access', access }, (bookmarks) => `${bookmarks} made ${access}.`)}
    >
      <ChoiceCards
        label="Access"
        name="bulk-access"
        choices={accessChoices}
        value={access}
        onChange={setAccess}
        className="sm:grid-cols-2"
      />
    </BulkForm>
  )
}

/** Edits the only selected bookmark, in the same dialog as on its page. */
function EditSelectedBookmark({ id, open, onClose }: { id: number; open: boolean; onClose: () => void }) {
  const { data } = useQuery({ ...bookmarkQuery(id), enabled: open })
  return data === undefined ? null : <EditBookmarkDialog bookmark={data} open={open} onClose={onClose} />
}
