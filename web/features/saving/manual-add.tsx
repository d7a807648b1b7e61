import { saveBookmarkManually } from '@reelmark/contract/bookmarks.ts'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useCallback } from 'react'
import type { Draft } from '../../draft.ts'
import { Button } from '../../ui/button.tsx'
import { AlreadySaved } from './already-saved.tsx'
import { BesidePreview } from './beside-preview.tsx'
import { isInPrivate } from './place.ts'
import { type OwnCollections, PlaceFields } from './place-fields.tsx'
import { SaveFailed } from './save-failed.tsx'
import { BookmarkFields, SourceField, TagsField, VideoFields } from './save-fields.tsx'
import { SavePreview } from './save-preview.tsx'
import { manualProblems, saveInput, type Typed } from './save-values.ts'
import { useProblems } from './use-problems.ts'
import { useSave } from './use-save.ts'
import { useSaveValues } from './use-save-values.ts'

interface ManualAddProps {
  draft: Draft<Typed>
  collections: OwnCollections
}

const nothing: Typed = {}

/**
 * The manual form beside its preview. Its state is plain React state and not react-hook-form's: the preview and the
 * draft need every keystroke anyway.
 */
export function ManualAdd({ draft: [typed, setTyped, clearDraft], collections }: ManualAddProps) {
  const { busy, failure, save } = useSave(saveBookmarkManually)
  const { problems, form, notice, report, forget } = useProblems()
  const { history } = useRouter()

  const change = useCallback(
    (some: Typed) => {
      setTyped((before) => ({ ...before, ...some }))
      forget(Object.keys(some))
    },
    [setTyped, forget],
  )
  const values = useSaveValues(typed, nothing, collections, null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const found = manualProblems(values, collections.list)
    if (Object.keys(found).length > 0) return report(found)
    const { bookmark, failure } = await save(saveInput(values, null), values.collection)
    if (bookmark === null) return report(failure.fields)
    clearDraft()
    history.push(`/bookmarks/${bookmark.id}`)
  }

  const fields = { values, onChange: change, problems }
  return (
    <form ref={form} noValidate onSubmit={submit}>
      <BesidePreview
        source={
          <div className="flex flex-col gap-3">
            <SourceField {...fields} />
            <AlreadySaved url={values.source_url} place={values} />
          </div>
        }
        preview={
          <SavePreview values={values} collections={collections.list} shape="unknown" knownPlayer={false} />
        }
      >
        <VideoFields {...fields} required />
        <TagsField {...fields} required={false} />
        <PlaceFields place={values} onChange={change} collections={collections} problems={problems} />
        <BookmarkFields {...fields} hidden={isInPrivate(values, collections.list)} />
        {failure !== null && <SaveFailed ref={notice} failure={failure} />}
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
      </BesidePreview>
    </form>
  )
}
