import { splitTags } from '@reelmark/contract/bookmarks.ts'
import type { BookmarkAccess } from '@reelmark/contract/fields.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { counted } from '../../ui/counted.ts'
import { Dialog, DialogFormEnd } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EditDialog } from '../bookmarks/edit-dialog.tsx'
import { bookmarkQuery } from '../bookmarks/queries.ts'
import { nowhere } from '../saving/place.ts'
import { PlaceFields } from '../saving/place-fields.tsx'
import { useOwnCollections } from '../saving/use-own-collections.ts'
import { TagsInput } from '../tags/tags-input.tsx'
import type { Picked } from './selection.ts'
import type { BulkChange } from './use-bulk.ts'

export type Question = 'move' | 'tag' | 'untag' | 'access' | 'edit'

interface BulkDialogsProps {
  question: Question | null
  picked: Picked
  busy: boolean
  problem: string | null
  /** Does it, and closes if that went well. */
  onAnswer: (change: BulkChange, said: (bookmarks: string) => string) => void
  onClose: () => void
}

/** What is asked before many bookmarks are changed. */
export function BulkDialogs({ question, picked, onClose, ...rest }: BulkDialogsProps) {
  const bookmarks = counted(picked.size, 'bookmark')
  const titles: Record<Exclude<Question, 'edit'>, string> = {
    move: `Move ${bookmarks}`,
    tag: `Add tags to ${bookmarks}`,
    untag: `Remove tags from ${bookmarks}`,
    access: `Change access for ${bookmarks}`,
  }
  const [only] = picked.keys()
  const asked = question === 'edit' ? null : question
  return (
    <>
      <Dialog open={asked !== null} onClose={onClose} title={titles[asked ?? 'move']}>
        {asked === 'move' && <MoveForm onClose={onClose} {...rest} />}
        {(asked === 'tag' || asked === 'untag') && <TagsForm action={asked} onClose={onClose} {...rest} />}
        {asked === 'access' && <AccessForm onClose={onClose} {...rest} />}
      </Dialog>
      {only !== undefined && <EditOne id={only} open={question === 'edit'} onClose={onClose} />}
    </>
  )
}

type FormProps = Omit<BulkDialogsProps, 'question' | 'picked'>

function BulkForm({
  busy,
  problem,
  action,
  onSubmit,
  onClose,
  children,
}: Omit<FormProps, 'onAnswer'> & { action: string; onSubmit: () => void; children: ReactNode }) {
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
      <DialogFormEnd submit={action} busy={busy} onCancel={onClose} />
    </form>
  )
}

const noProblems = {}

function MoveForm({ onAnswer, ...rest }: FormProps) {
  const collections = useOwnCollections()
  const [place, setPlace] = useState(nowhere)
  const [missing, setMissing] = useState(false)

  function submit(): void {
    const collection = collections.list.find(({ id }) => id === place.collection)
    if (collection === undefined) {
      setMissing(true)
      return
    }
    const channel = collection.channels.find(({ id }) => id === place.channel)
    const name = channel === undefined ? collection.name : `${collection.name}, ${channel.name}`
    onAnswer(
      { action: 'move', collection_id: collection.id, channel_id: channel?.id ?? null },
      (bookmarks) => `${bookmarks} moved to ${name}.`,
    )
  }

  return (
    <BulkForm {...rest} action="Move" onSubmit={submit}>
      <PlaceFields
        autofocus
        channelOptional
        place={place}
        onChange={(next) => {
          setPlace(next)
          setMissing(false)
        }}
        collections={collections}
        problems={missing ? { collection: 'Please select a collection.' } : noProblems}
      />
    </BulkForm>
  )
}

function TagsForm({ action, onAnswer, ...rest }: FormProps & { action: 'tag' | 'untag' }) {
  const [line, setLine] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  function submit(): void {
    const tags = splitTags(line)
    if (tags.length === 0 || tags.length > limits.tagsMax) {
      setProblem(tags.length === 0 ? 'Enter at least one tag.' : `At most ${limits.tagsMax} tags.`)
      return
    }
    const names = counted(tags.length, 'tag')
    onAnswer({ action, tags }, (bookmarks) =>
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

function AccessForm({ onAnswer, ...rest }: FormProps) {
  const [access, setAccess] = useState<BookmarkAccess>('private')
  return (
    <BulkForm
      {...rest}
      action={access === 'private' ? 'Make private' : 'Make public'}
      onSubmit={() => onAnswer({ action: 'access', access }, (bookmarks) => `${bookmarks} made ${access}.`)}
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

/** The one that is picked, in the form of its own page. */
function EditOne({ id, open, onClose }: { id: number; open: boolean; onClose: () => void }) {
  const { data } = useQuery({ ...bookmarkQuery(id), enabled: open })
  return data === undefined ? null : <EditDialog bookmark={data} open={open} onClose={onClose} />
}
