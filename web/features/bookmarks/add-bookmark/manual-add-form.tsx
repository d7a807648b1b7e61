import { saveBookmarkManually } from '@reelmark/contract/bookmarks.ts'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useCallback } from 'react'
import type { Draft } from '../../../shared/forms/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { isInPrivateCollection } from '../destination/destination.ts'
import { DestinationFields, type OwnCollections } from '../destination/destination-fields.tsx'
import { AlreadySavedNotice } from './already-saved-notice.tsx'
import { FormWithPreview } from './form-with-preview.tsx'
import { SaveFailureNotice } from './save-failure-notice.tsx'
import { BookmarkFields, SourceField, TagsField, VideoFields } from './save-fields.tsx'
import { SavePreview } from './save-preview.tsx'
import { type EditedValues, manualFormErrors, saveInput } from './save-values.ts'
import { useFieldErrors } from './use-field-errors.ts'
import { useSaveBookmark } from './use-save-bookmark.ts'
import { useSaveValues } from './use-save-values.ts'

interface ManualAddFormProps {
  draft: Draft<EditedValues>
  collections: OwnCollections
}

const emptyDraft: EditedValues = {}

/**
 * The manual form beside its preview. Its state is plain React state and not react-hook-form's: the preview and the
 * draft need every keystroke anyway.
 */
export function ManualAddForm({ draft: [typed, setTyped, clearDraft], collections }: ManualAddFormProps) {
  const { busy, failure, save } = useSaveBookmark(saveBookmarkManually)
  const { problems, form, notice, report, forget } = useFieldErrors()
  const { history } = useRouter()

  const change = useCallback(
    (changes: EditedValues) => {
      setTyped((before) => ({ ...before, ...changes }))
      forget(Object.keys(changes))
    },
    [setTyped, forget],
  )
  const values = useSaveValues(typed, emptyDraft, collections, null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const fieldErrors = manualFormErrors(values, collections.list)
    if (Object.keys(fieldErrors).length > 0) return report(fieldErrors)
    const { bookmark, failure } = await save(saveInput(values, null), values.collection)
    if (bookmark === null) return report(failure.fields)
    clearDraft()
    history.push(`/bookmarks/${bookmark.id}`)
  }

  const fields = { values, onChange: change, problems }
  return (
    <form ref={form} noValidate onSubmit={submit}>
      <FormWithPreview
        source={
          <div className="flex flex-col gap-3">
            <SourceField {...fields} />
            <AlreadySavedNotice url={values.source_url} destination={values} />
          </div>
        }
        preview={
          <SavePreview values={values} collections={collections.list} shape="unknown" knownPlayer={false} />
        }
      >
        <VideoFields {...fields} required />
        <TagsField {...fields} required={false} />
        <DestinationFields
          destination={values}
          onChange={change}
          collections={collections}
          problems={problems}
        />
        <BookmarkFields {...fields} hidden={isInPrivateCollection(values, collections.list)} />
        {failure !== null && <SaveFailureNotice ref={notice} failure={failure} />}
        <Button
          type="submit"
          tone="accent"
          size="lg"
          busy={busy}
          busyText="Saving..."
          className="sm:self-start"
        >
          Save Bookmark & Video
        </Button>
      </FormWithPreview>
    </form>
  )
}
