import type { Extraction } from '@reelmark/contract/extraction.ts'
import { type FormEvent, useCallback, useRef } from 'react'
import type { Draft } from '../../../shared/forms/use-draft.ts'
import { useFocusAfter } from '../../../shared/hooks/use-focus-after.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { isFocusFree } from '../../../ui/focus-beyond.ts'
import { Notice } from '../../../ui/notice.tsx'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import type { OwnCollections } from '../destination/destination-fields.tsx'
import { AlreadySavedNotice } from './already-saved-notice.tsx'
import { FormWithPreview } from './form-with-preview.tsx'
import { readLinks } from './many-links/links-text.ts'
import { ReviewForm } from './review-form.tsx'
import { inlineLinkClass } from './save-failure-notice.tsx'
import type { EditedValues } from './save-values.ts'
import { SharedTextNotice } from './shared-text-notice.tsx'
import { reusableChoices, type UrlDraft } from './url-draft.ts'
import { useExtraction } from './use-extraction.ts'

interface UrlAddFormProps {
  draft: Draft<UrlDraft>
  collections: OwnCollections
  /** Opens the manual form with this link and title, which may be blank. */
  onAddManually: (url: string, title: string) => void
  /** Receives a text with several links that was entered as the link. */
  onManyLinks: (text: string) => void
}

/** The form for a link, and the review of the extracted details. */
export function UrlAddForm({
  draft: [draft, setDraft, clearDraft, discardDraft],
  collections,
  onAddManually,
  onManyLinks,
}: UrlAddFormProps) {
  const { busy, failure, extract, reset } = useExtraction()
  const input = useRef<HTMLInputElement>(null)
  const [review, focusReview] = useFocusAfter<HTMLHeadingElement>()
  const url = draft.url.trim()
  /** The link of the extraction. The field may contain the next one already. */
  const extractedUrl = useRef(url)

  const change = useCallback(
    (changes: EditedValues) =>
      setDraft((before) => ({ ...before, edited: { ...before.edited, ...changes } })),
    [setDraft],
  )

  /** Passes on a text if it contains several links, unless the details of one are being reviewed. */
  function enterManyLinks(text: string): boolean {
    if (draft.extraction !== null || readLinks(text).length < 2) return false
    onManyLinks(text)
    return true
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (url === '' || busy) return
    const extraction = await extract(url)
    if (extraction === null) return
    extractedUrl.current = url
    setDraft((before) => ({
      ...before,
      extraction,
      edited: isOtherVideo(before.extraction, extraction) ? reusableChoices(before.edited) : before.edited,
    }))
    focusReview()
  }

  function restart() {
    // The user may be elsewhere meanwhile, for example in the search field of the header.
    if (isFocusFree(review.current?.closest('section'))) input.current?.focus({ preventScroll: true })
    if (url === extractedUrl.current) {
      reset()
      clearDraft()
    } else setDraft((before) => ({ ...before, extraction: null, edited: {} }))
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
            onPaste={(event) => {
              // The field itself would join the lines.
              if (enterManyLinks(event.clipboardData.getData('text'))) event.preventDefault()
            }}
            onChange={(event) => {
              if (enterManyLinks(event.target.value)) setDraft((before) => ({ ...before, url: '' }))
              else setDraft((before) => ({ ...before, url: event.target.value, title: '' }))
            }}
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
      {draft.sharedText !== '' && (
        <SharedTextNotice
          text={draft.sharedText}
          onDiscard={() => {
            setDraft((before) => ({ ...before, sharedText: '' }))
            input.current?.focus()
          }}
        />
      )}
      {draft.extraction === null && <AlreadySavedNotice url={url} className="max-w-180" />}
      {failure !== null && (
        <Notice tone="danger" urgent className="max-w-180">
          <p>{failure.text}</p>
          {failure.reason !== null && <p className="text-quiet">{failure.reason}</p>}
          <p>
            <button type="button" className={inlineLinkClass} onClick={() => onAddManually(url, draft.title)}>
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
          sharedTitle={draft.title}
          edited={draft.edited}
          collections={collections}
          onChange={change}
          heading={review}
          onSaved={discardDraft}
          onDone={restart}
        />
      )}
    </div>
  )
}

function isOtherVideo(before: Extraction | null, { video }: Extraction): boolean {
  return before !== null && before.video.source_url !== video.source_url
}

/** A placeholder for the review during extraction. */
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
