import { splitTags } from '@reelmark/contract/bookmarks.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ChoiceCards } from '../../../ui/choice-cards.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { toastLoadingFailure } from '../../../ui/toast.tsx'
import { bookmarkQuery } from '../queries.ts'
import { TagsInput } from '../tags/tags-input.tsx'
import { EditBookmarkDialog } from '../update/edit-bookmark-dialog.tsx'
import { BulkForm, type BulkFormProps } from './bulk-form.tsx'
import { MoveForm } from './move-form.tsx'
import type { SelectedItems } from './selection.ts'

export type BulkDialogName = 'move' | 'tag' | 'untag' | 'access' | 'edit'

interface BulkDialogsProps extends BulkFormProps {
  dialog: BulkDialogName | null
  selected: SelectedItems
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
        {openDialog === 'move' && <MoveForm count={selected.size} onClose={onClose} {...rest} />}
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

function TagsForm({ action, onSubmit: onChange, ...rest }: BulkFormProps & { action: 'tag' | 'untag' }) {
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

function AccessForm({ onSubmit: onChange, ...rest }: BulkFormProps) {
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

/** Edits one bookmark of a list, in the same dialog as on its page. */
export function EditSelectedBookmark({
  id,
  open,
  onClose,
}: {
  id: number
  open: boolean
  onClose: () => void
}) {
  const { data, isError } = useQuery({ ...bookmarkQuery(id), enabled: open })
  const hasFailed = open && isError && data === undefined
  useEffect(() => {
    if (!hasFailed) return
    toastLoadingFailure()
    onClose()
  }, [hasFailed, onClose])
  return data === undefined ? null : <EditBookmarkDialog bookmark={data} open={open} onClose={onClose} />
}
