import { isCallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { OwnTag } from '@reelmark/contract/tags.ts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { Dialog, DialogFormFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { matchingOwnTagsQuery } from './queries.ts'
import { useTagChange } from './use-tag-change.ts'

interface RenameTagsDialogProps {
  open: boolean
  /** One tag to rename, or several to merge. */
  tags: readonly OwnTag[]
  onClose: () => void
  onChanged: () => void
}

/** Renames a tag of the viewer's bookmarks, or merges several into one. */
export function RenameTagsDialog({ open, tags, ...rest }: RenameTagsDialogProps) {
  const title = tags.length === 1 ? 'Rename tag' : `Merge ${tags.length} tags`
  return (
    <Dialog open={open} onClose={rest.onClose} title={title}>
      <RenameTagsForm tags={tags} {...rest} />
    </Dialog>
  )
}

function RenameTagsForm({ tags, onClose, onChanged }: Omit<RenameTagsDialogProps, 'open'>) {
  const listId = useId()
  const mostUsed = tags.toSorted((a, b) => b.bookmarks_count - a.bookmarks_count)[0]
  const [name, setName] = useState(mostUsed?.name ?? '')
  const normalised = name.toLowerCase().replace(/\s+/g, ' ').trim()
  const requested = useDebouncedValue(normalised.slice(0, limits.tagMax), 150)
  const { data: matching = [] } = useQuery({ ...matchingOwnTagsQuery(requested), enabled: requested !== '' })
  const { change } = useTagChange({
    onChanged() {
      // Closes first: while the dialog is open, nothing outside can get the focus, and closing it moves the focus.
      flushSync(onClose)
      onChanged()
    },
  })

  const isRenamed = tags.length === 1
  const existing = matching.find((tag) => tag.name === normalised && tags.every((t) => t.name !== tag.name))
  const [isMissing, setMissing] = useState(false)
  const fieldError = isMissing ? 'Enter a name.' : errorsOfField(change.error)

  function submit(event: FormEvent): void {
    event.preventDefault()
    setMissing(normalised === '')
    if (normalised === '') return
    if (isRenamed && normalised === tags[0]?.name) {
      onClose()
      return
    }
    void change.run({ tags: tags.map((tag) => tag.name), replacement: normalised })
  }

  return (
    <form method="post" noValidate className="flex flex-col gap-5 pt-1" onSubmit={submit}>
      {change.error !== null && fieldError === null && <ErrorNotice text={errorMessage(change.error)} />}
      {!isRenamed && (
        <p className="text-14 text-quiet wrap-anywhere">{tags.map((tag) => tag.name).join(', ')}</p>
      )}
      <Field
        label={isRenamed ? 'New name' : 'Merge into'}
        required
        error={fieldError}
        hint={
          existing === undefined
            ? `Changes all of your bookmarks with ${isRenamed ? 'this tag' : 'these tags'}, including private ones.`
            : `You already have “${existing.name}” on ${pluralise(existing.bookmarks_count, 'bookmark')}. Both become one tag.`
        }
      >
        <Input
          data-autofocus
          name="replacement"
          list={listId}
          autoComplete="off"
          autoCapitalize="none"
          maxLength={limits.tagMax}
          value={name}
          onChange={({ target }) => {
            setName(target.value)
            setMissing(false)
            change.reset()
          }}
        />
      </Field>
      <datalist id={listId}>
        {matching.map((tag) => (
          <option key={tag.name} value={tag.name} />
        ))}
      </datalist>
      <DialogFormFooter
        submit={isRenamed && existing === undefined ? 'Rename' : 'Merge'}
        busy={change.busy}
        busyText={isRenamed && existing === undefined ? 'Renaming...' : 'Merging...'}
        onCancel={onClose}
      />
    </form>
  )
}

/** Returns the texts of an error about the new name or the tags; null for other errors. */
function errorsOfField(error: unknown): string[] | null {
  if (!isCallError(error) || error.status !== 400) return null
  const { replacement, tags } = error.body as { replacement?: string[]; tags?: string[] }
  return replacement ?? tags ?? null
}
