import type { Extraction } from '@reelmark/contract/extraction.ts'
import { type FormEvent, useCallback, useRef } from 'react'
import type { Draft } from '../../../shared/forms/use-draft.ts'
import { useFocusAfter } from '../../../shared/hooks/use-focus-after.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import type { OwnCollections } from '../destination/destination-fields.tsx'
import { AlreadySavedNotice } from './already-saved-notice.tsx'
import { FormWithPreview } from './form-with-preview.tsx'
import { ReviewForm } from './review-form.tsx'
import { inlineLinkClass } from './save-failure-notice.tsx'
import type { EditedValues } from './save-values.ts'
import { useExtraction } from './use-extraction.ts'

export interface UrlDraft {
  url: string
  extraction: Extraction | null
  /** Above what was extracted. */
  typed: EditedValues
}

export const emptyUrlDraft: UrlDraft = { url: '', extraction: null, typed: {} }

interface UrlAddFormProps {
  draft: Draft<UrlDraft>
  collections: OwnCollections
  /** Leads to the manual form, with the address filled in. */
  onAddManually: (url: string) => void
}

/** A pasted link, what was found out about it, and the form to review that. */
export function UrlAddForm({
  draft: [draft, setDraft, clearDraft, forgetDraft],
  collections,
  onAddManually,
}: UrlAddFormProps) {
  const { busy, failure, extract, forget } = useExtraction()
  const input = useRef<HTMLInputElement>(null)
  const [review, focusReview] = useFocusAfter<HTMLHeadingElement>()
  const url = draft.url.trim()

  const change = useCallback(
    (changes: EditedValues) => setDraft((before) => ({ ...before, typed: { ...before.typed, ...changes } })),
    [setDraft],
  )

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (url === '' || busy) return
    const fieldErrors = await extract(url)
    if (fieldErrors === null) return
    setDraft((before) => ({
      ...before,
      extraction: fieldErrors,
      typed: choices(before.typed),
    }))
    focusReview()
  }

  function startAgain() {
    forget()
    clearDraft()
    // The form that had the focus is gone; the next address comes in here.
    input.current?.focus({ preventScroll: true })
  }

  return (
    <div className="flex flex-col gap-8">
      <form noValidate onSubmit={submit} className="flex max-w-180 flex-col gap-2 sm:flex-row sm:items-start">
        <Field label="Video URL" className="flex-1" hint="Works with YouTube, Vimeo and most other sites.">
          <Input
            ref={input}
            name="video_url"
            type="url"
            value={draft.url}
            placeholder="https://"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="h-12!"
            onChange={(event) => setDraft((before) => ({ ...before, url: event.target.value }))}
          />
        </Field>
        <Button
          type="submit"
          tone={draft.extraction === null ? 'accent' : 'plain'}
          size="lg"
          busy={busy}
          busyText="Extracting..."
          disabled={url === ''}
          className="sm:mt-6.5"
        >
          Extract Info
        </Button>
      </form>
      {draft.extraction === null && <AlreadySavedNotice url={url} className="max-w-180" />}
      {failure !== null && (
        <Notice tone="danger" urgent className="max-w-180">
          <p>{failure.text}</p>
          {failure.reason !== null && <p className="text-quiet">{failure.reason}</p>}
          <p>
            <button type="button" className={inlineLinkClass} onClick={() => onAddManually(url)}>
              Add the details manually
            </button>
          </p>
        </Notice>
      )}
      {busy && draft.extraction === null && <ReviewSkeleton />}
      {draft.extraction !== null && (
        <ReviewForm
          key={draft.extraction.video.source_url}
          extraction={draft.extraction}
          typed={draft.typed}
          collections={collections}
          onChange={change}
          heading={review}
          onSaved={forgetDraft}
          onDone={startAgain}
        />
      )}
    </div>
  )
}

/** The review's shape, while it is being found out what to review. */
function ReviewSkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-6">
      <SkeletonLine className="h-7 w-48" />
      <FormWithPreview
        source={<SkeletonLine className="h-11" />}
        preview={<div className="skeleton aspect-video rounded-card!" />}
      >
        <SkeletonLine className="h-11" />
        <SkeletonLine className="h-11" />
      </FormWithPreview>
    </div>
  )
}

/** What stays for another video: where it goes and who sees it. */
function choices({ collection, channel, access }: EditedValues): EditedValues {
  return {
    ...(collection !== undefined && { collection, channel: channel ?? null }),
    ...(access !== undefined && { access }),
  }
}
