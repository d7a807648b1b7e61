import { type Bookmark, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import type { Extraction } from '@reelmark/contract/extraction.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type Ref, useCallback, useMemo, useRef, useState } from 'react'
import { useFocusAfter } from '../../../shared/hooks/use-focus-after.ts'
import { Button } from '../../../ui/button.tsx'
import { clockDuration } from '../../../ui/duration.ts'
import { isFocusFree } from '../../../ui/focus-beyond.ts'
import { Notice } from '../../../ui/notice.tsx'
import { SectionTitle } from '../../../ui/section-title.tsx'
import { isInPrivateCollection } from '../destination/destination.ts'
import { DestinationFields, type OwnCollections } from '../destination/destination-fields.tsx'
import { showSaved } from '../save-sheet/saved-store.ts'
import { TagSuggestions } from '../tags/tag-suggestions.tsx'
import { AlreadySavedNotice } from './already-saved-notice.tsx'
import { FormWithPreview } from './form-with-preview.tsx'
import { SaveFailureNotice, ViewBookmark } from './save-failure-notice.tsx'
import { BookmarkFields, SourceField, TagsField, TitleField, VideoFields } from './save-fields.tsx'
import { SavePreview } from './save-preview.tsx'
import { type EditedValues, missingFields, saveInput, valuesFromExtraction } from './save-values.ts'
import { UploaderDestination } from './uploader-destination.tsx'
import { usePausableTimeout } from './use-pausable-timeout.ts'
import { useSaveForm } from './use-save-bookmark.ts'
import { useSaveValues } from './use-save-values.ts'

interface ReviewFormProps {
  extraction: Extraction
  /** The title that was shared with the link, for a page without one; blank: none. */
  sharedTitle: string
  edited: EditedValues
  collections: OwnCollections
  onChange: (changes: EditedValues) => void
  heading: Ref<HTMLHeadingElement>
  onSaved: () => void
  /** Runs after the bookmark was saved and the success message disappeared. */
  onDone: () => void
}

/** The 'Review & Save' step: the extracted details in a form with its preview. */
export function ReviewForm({
  extraction,
  sharedTitle,
  edited,
  collections,
  onChange,
  heading,
  onSaved,
  onDone,
}: ReviewFormProps) {
  const [savedAs, setSavedAs] = useState<Bookmark | null>(null)
  const section = useRef<HTMLElement>(null)
  const isSavedByKey = useRef(false)
  const [viewLink, focusViewLink] = useFocusAfter<HTMLAnchorElement>()
  const isHeld = savedAs?.is_held === true
  // Twice as long for the longer text.
  const banner = usePausableTimeout(
    savedAs !== null,
    limits.savedBannerSeconds * (isHeld ? 2000 : 1000),
    useCallback(() => {
      // The banner's link to the bookmark must not disappear with it.
      showSaved(savedAs)
      onDone()
    }, [savedAs, onDone]),
  )
  const { video } = extraction

  const extracted = useMemo(() => {
    const found = valuesFromExtraction(extraction)
    return found.title === '' ? { ...found, title: sharedTitle } : found
  }, [extraction, sharedTitle])
  const values = useSaveValues(edited, extracted, collections, extraction.channel_name)
  const missing = missingFields(values, collections.list)
  const form = useSaveForm(saveBookmark, {
    toInput: () => ({ body: saveInput(values, extraction), collection: values.collection }),
    onSuccess(bookmark) {
      setSavedAs(bookmark)
      // The user may follow the banner's link and not come back.
      onSaved()
      // Otherwise the link, which is shown as long as it has the focus, could not be reached in time.
      if (isSavedByKey.current && isFocusFree(section.current)) focusViewLink()
    },
  })
  const { failure, reset } = form
  const change = useCallback(
    (changes: EditedValues) => {
      onChange(changes)
      reset(Object.keys(changes))
    },
    [onChange, reset],
  )

  const fields = { values, onChange: change, problems: form.fieldErrors }
  const suggestions = (
    <TagSuggestions
      suggested={extraction.suggested_tags}
      line={values.tags}
      onAdd={(tags) => change({ tags })}
    />
  )
  return (
    <section ref={section} aria-labelledby="review-and-save" className="flex flex-col gap-6">
      <SectionTitle
        ref={heading}
        id="review-and-save"
        tabIndex={-1}
        sizeClass="text-25"
        className="tracking-normal!"
      >
        Review & Save
      </SectionTitle>
      {extraction.warnings.length > 0 && (
        <Notice tone="info" title="Some details are missing" className="max-w-180">
          <ul className="list-disc pl-4 text-quiet">
            {extraction.warnings.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p className="text-quiet">Fill in what you can. The rest is optional.</p>
        </Notice>
      )}
      <form {...form.props}>
        <FormWithPreview
          source={
            <div className="flex flex-col gap-3">
              <SourceField {...fields} />
              {extraction.start_seconds !== null && values.source_url === video.source_url && (
                <p className="text-13 text-quiet">Starts at {clockDuration(extraction.start_seconds)}.</p>
              )}
              {savedAs === null && <AlreadySavedNotice url={values.source_url} destination={values} />}
            </div>
          }
          preview={
            <SavePreview
              values={values}
              collections={collections.list}
              shape={video.shape}
              knownPlayer={extraction.player === 'known' && values.embed_url === video.embed_url}
            />
          }
        >
          <VideoFields {...fields} required={false}>
            <TitleField {...fields} />
          </VideoFields>
          <TagsField {...fields} required suggestions={suggestions} />
          <DestinationFields
            destination={values}
            onChange={change}
            collections={collections}
            problems={form.fieldErrors}
          />
          <UploaderDestination extraction={extraction} destination={values} onChange={change} />
          <BookmarkFields {...fields} hidden={isInPrivateCollection(values, collections.list)} />
          {failure !== null && savedAs === null && <SaveFailureNotice ref={form.notice} failure={failure} />}
          <div className="flex flex-col gap-2 sm:flex-row sm:items-center sm:gap-4">
            <Button
              type="submit"
              tone="accent"
              size="lg"
              busy={form.busy}
              busyText="Saving..."
              disabled={missing.length > 0 || savedAs !== null}
              onClick={({ detail }) => {
                // Only clicks of a pointer are counted.
                isSavedByKey.current = detail === 0
              }}
            >
              Save Bookmark
            </Button>
            {missing.length > 0 && (
              <p className="text-13 text-quiet">Add {new Intl.ListFormat('en').format(missing)} to save.</p>
            )}
          </div>
          {savedAs !== null && (
            <Notice {...banner} tone="success" polite>
              <p>Bookmark saved successfully!</p>
              {isHeld && <p>It will be public after a quick review.</p>}
              <ViewBookmark ref={viewLink} id={savedAs.id} />
            </Notice>
          )}
        </FormWithPreview>
      </form>
    </section>
  )
}
