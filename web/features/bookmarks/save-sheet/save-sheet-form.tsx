import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { clockDuration } from '../../../ui/duration.ts'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { AlreadySavedNotice } from '../add-bookmark/already-saved-notice.tsx'
import { inlineLinkClass, SaveFailureNotice } from '../add-bookmark/save-failure-notice.tsx'
import { BookmarkFields, TagsField, TitleField, VideoFields } from '../add-bookmark/save-fields.tsx'
import {
  type EditedValues,
  type FieldErrors,
  type SaveValues,
  saveInput,
  tagErrors,
  valuesFromExtraction,
} from '../add-bookmark/save-values.ts'
import { emptyUrlDraft, type UrlDraft, withCorrectedLink, withLink } from '../add-bookmark/url-draft.ts'
import { useExtraction } from '../add-bookmark/use-extraction.ts'
import { useSaveForm } from '../add-bookmark/use-save-bookmark.ts'
import { useSaveValues } from '../add-bookmark/use-save-values.ts'
import { isInPrivateCollection } from '../destination/destination.ts'
import { DestinationCombobox } from '../destination/destination-combobox.tsx'
import { useOwnCollections } from '../destination/use-own-collections.ts'
import { TagSuggestions } from '../tags/tag-suggestions.tsx'
import { CoverableThumbnail, useThumbnailPreview } from '../thumbnail/thumbnail-preview.tsx'
import { showSaved } from './saved-store.ts'

/** Milliseconds without input after which the details of a typed link are requested. A pasted one is complete at once. */
const debounceMs = 700

const nothing: EditedValues = {}

interface SaveSheetFormProps {
  link: string | null
  onClose: () => void
  onManual: () => void
}

/**
 * The form of the save sheet. It edits the same draft as the tab for links of the add page, so that the user can continue
 * there, and nothing is lost when the sheet closes or saving fails. Save can be pressed before the details are found: the
 * bookmark is saved once they are.
 */
export function SaveSheetForm({ link, onClose, onManual }: SaveSheetFormProps) {
  const [draft, setDraft, clearDraft] = useDraft<UrlDraft>('add-bookmark-url', emptyUrlDraft)
  const { extraction, edited } = draft
  const url = draft.url.trim()
  const { failure, extract, reset: resetExtraction } = useExtraction()
  const [requested, setRequested] = useState<string | null>(extraction === null ? null : url)
  const [isWaiting, setWaiting] = useState(false)
  const collections = useOwnCollections()
  const formElement = useRef<HTMLFormElement>(null)

  const extracted = useMemo(
    () => (extraction === null ? nothing : valuesFromExtraction(extraction)),
    [extraction],
  )
  const found = useSaveValues(edited, extracted, collections, extraction?.channel_name ?? null)
  const values = { ...found, source_url: found.source_url || url }
  const isFinding = isHttpUrl(url) && extraction === null && failure === null
  const thumbnail = useThumbnailPreview(values.thumbnail_url)

  const form = useSaveForm(saveBookmark, {
    validate: () => sheetErrors(values),
    toInput: () => ({ body: saveInput(values, extraction), collection: values.collection }),
    onSuccess(bookmark) {
      // Stored before the sheet closes and ends its effects.
      if (draft.previous === null) clearDraft()
      else flushSync(() => setDraft(({ previous }) => ({ ...emptyUrlDraft, previous })))
      showSaved(bookmark)
      onClose()
    },
  })
  const { reset } = form
  const change = useCallback(
    (changes: EditedValues) => {
      setDraft((before) => ({ ...before, edited: { ...before.edited, ...changes } }))
      reset(Object.keys(changes))
    },
    [setDraft, reset],
  )

  const enterLink = useCallback(
    (next: string) => {
      setWaiting(false)
      // The same link, entered again, is looked up again.
      setRequested(null)
      reset()
      resetExtraction()
      setDraft((before) => withCorrectedLink(before, next))
    },
    [setDraft, reset, resetExtraction],
  )
  useEffect(() => {
    if (link !== null) setDraft((before) => (before.url.trim() === link ? before : withLink(before, link)))
  }, [link, setDraft])

  const typed = useDebouncedValue(url, debounceMs)
  const complete = url === link ? url : typed
  useEffect(() => {
    if (complete !== url || !isHttpUrl(url) || extraction !== null || requested === url) return
    setRequested(url)
    void extract(url).then((details) => {
      if (details !== null)
        setDraft((before) => (before.url.trim() === url ? { ...before, extraction: details } : before))
    })
  }, [complete, url, extraction, requested, extract, setDraft])

  useEffect(() => {
    if (!isWaiting || isFinding || collections.loading) return
    setWaiting(false)
    formElement.current?.requestSubmit()
  }, [isWaiting, isFinding, collections.loading])

  const fields = { values, onChange: change, problems: form.fieldErrors }
  return (
    <form
      {...form.props}
      ref={formElement}
      className="flex flex-col gap-4 pt-1"
      onSubmit={(event) => {
        if (!isFinding && !collections.loading) return form.props.onSubmit(event)
        event.preventDefault()
        setWaiting(true)
      }}
    >
      <Field label="Video URL" labelHidden error={form.fieldErrors.source_url}>
        <Input
          data-autofocus={link === null || undefined}
          name="source_url"
          type="url"
          aria-required
          placeholder="Paste a link"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.urlMax}
          value={draft.url}
          onChange={({ target }) => enterLink(target.value)}
        />
      </Field>
      <div className="flex gap-3">
        <div className="w-36 shrink-0 sm:w-44">
          <CoverableThumbnail
            src={thumbnail.picture}
            title={values.title}
            orientation={values.orientation}
            shape={thumbnail.shape ?? undefined}
            className={isFinding || thumbnail.text === 'Loading the picture…' ? 'animate-pulse' : ''}
          />
          <p className="mt-1 truncate text-12 text-quiet">
            {isHttpUrl(values.source_url) && new URL(values.source_url).host.replace(/^www\./, '')}
            {extraction?.video.duration != null && ` · ${clockDuration(extraction.video.duration)}`}
          </p>
        </div>
        <div className="min-w-0 flex-1">
          <TitleField {...fields} placeholder={isFinding ? 'Finding the title…' : undefined} />
        </div>
      </div>
      {failure !== null && extraction === null && (
        <Notice tone="danger" urgent>
          <p>{failure.text}</p>
          {failure.reason !== null && <p className="text-quiet">{failure.reason}</p>}
          <p className="text-quiet">
            <button
              type="button"
              className={inlineLinkClass}
              onClick={() => {
                resetExtraction()
                setRequested(null)
              }}
            >
              Try again
            </button>
            , or enter a title to save it anyway.
          </p>
        </Notice>
      )}
      <AlreadySavedNotice url={url} destination={values} />
      <DestinationCombobox
        destination={values}
        onChange={change}
        collections={collections}
        error={form.fieldErrors.collection ?? form.fieldErrors.channel}
      />
      <TagsField
        {...fields}
        required={false}
        suggestions={
          <TagSuggestions
            suggested={extraction?.suggested_tags ?? []}
            line={values.tags}
            onAdd={(tags) => change({ tags })}
          />
        }
      />
      <More isOpen={hasHiddenError(form.fieldErrors)}>
        <VideoFields {...fields} required={false} />
        <BookmarkFields {...fields} hidden={isInPrivateCollection(values, collections.list)} />
      </More>
      {form.failure !== null && <SaveFailureNotice ref={form.notice} failure={form.failure} />}
      <DialogFooter>
        <button
          type="button"
          className={`mr-auto inline-flex min-h-11 items-center text-14 ${inlineLinkClass}`}
          onClick={onManual}
        >
          Manual Add
        </button>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          tone="accent"
          data-autofocus={link !== null || undefined}
          busy={form.busy}
          aria-busy={isWaiting || undefined}
          busyText="Saving..."
          disabled={url === '' && link === null}
        >
          {isWaiting ? 'Saving...' : 'Save Bookmark'}
        </Button>
      </DialogFooter>
    </form>
  )
}

/** The fields that few users change. They open if one of them has an error. */
function More({ isOpen, children }: { isOpen: boolean; children: React.ReactNode }) {
  return (
    <details className="group" open={isOpen || undefined}>
      <summary className="-ml-2 inline-flex min-h-11 items-center rounded-control px-2 text-14 font-medium text-quiet hover:text-ink">
        More
      </summary>
      <div className="flex flex-col gap-5 pt-2">{children}</div>
    </details>
  )
}

function hasHiddenError({ title, tags, collection, channel, source_url, ...hidden }: FieldErrors): boolean {
  return Object.values(hidden).some((error) => error !== undefined)
}

/** Returns the errors by field; empty if the bookmark can be saved. Tags and channel are optional here. */
function sheetErrors(values: SaveValues): FieldErrors {
  return {
    ...tagErrors(values.tags),
    ...(!isHttpUrl(values.source_url) && { source_url: 'Enter a full URL starting with https://' }),
    ...(values.title.trim() === '' && { title: 'Video Title is required.' }),
    ...(values.collection === null && { collection: 'Please select a collection.' }),
  }
}
