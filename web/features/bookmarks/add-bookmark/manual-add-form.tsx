import { saveBookmarkManually } from '@reelmark/contract/bookmarks.ts'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Draft } from '../../../shared/forms/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { isInPrivateCollection } from '../destination/destination.ts'
import { DestinationFields, type OwnCollections } from '../destination/destination-fields.tsx'
import { AlreadySavedNotice } from './already-saved-notice.tsx'
import { FormWithPreview } from './form-with-preview.tsx'
import { SaveFailureNotice } from './save-failure-notice.tsx'
import { BookmarkFields, SourceField, TagsField, TitleField, VideoFields } from './save-fields.tsx'
import { SavePreview } from './save-preview.tsx'
import { type EditedValues, manualFormErrors, saveInput } from './save-values.ts'
import { useSaveForm } from './use-save-bookmark.ts'
import { useSaveValues } from './use-save-values.ts'

interface ManualAddFormProps {
  draft: Draft<EditedValues>
  collections: OwnCollections
}

const emptyDraft: EditedValues = {}

/**
 * The manual form with its preview. The fields are controlled, because the preview and the draft need every keystroke.
 */
export function ManualAddForm({ draft: [edited, updateDraft, clearDraft], collections }: ManualAddFormProps) {
  const { history } = useRouter()
  const values = useSaveValues(edited, emptyDraft, collections, null)
  const form = useSaveForm(saveBookmarkManually, {
    validate: () => manualFormErrors(values, collections.list),
    toInput: () => ({ body: saveInput(values, null), collection: values.collection }),
    onSuccess(bookmark) {
      clearDraft()
      history.push(`/bookmarks/${bookmark.id}`)
    },
  })
  const { reset } = form
  const change = useCallback(
    (changes: EditedValues) => {
      updateDraft((before) => ({ ...before, ...changes }))
      reset(Object.keys(changes))
    },
    [updateDraft, reset],
  )

  const fields = { values, onChange: change, problems: form.fieldErrors }
  return (
    <form {...form.props}>
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
        <VideoFields {...fields} required>
          <TitleField {...fields} />
        </VideoFields>
        <TagsField {...fields} required={false} />
        <DestinationFields
          destination={values}
          onChange={change}
          collections={collections}
          problems={form.fieldErrors}
        />
        <BookmarkFields {...fields} hidden={isInPrivateCollection(values, collections.list)} />
        {form.failure !== null && <SaveFailureNotice ref={form.notice} failure={form.failure} />}
        <Button
          type="submit"
          tone="accent"
          size="lg"
          busy={form.busy}
          busyText="Saving..."
          className="sm:self-start"
        >
          Save Bookmark & Video
        </Button>
      </FormWithPreview>
    </form>
  )
}
