import { type Bookmark, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import type { Extraction } from '@reelmark/contract/extraction.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { type FormEvent, type Ref, useCallback, useMemo, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TagSuggestions } from '../tags/tag-suggestions.tsx'
import { AlreadySaved } from './already-saved.tsx'
import { BesidePreview } from './beside-preview.tsx'
import { isInPrivate } from './place.ts'
import { type OwnCollections, PlaceFields } from './place-fields.tsx'
import { SaveFailed, ViewBookmark } from './save-failed.tsx'
import { BookmarkFields, SourceField, TagsField, VideoFields } from './save-fields.tsx'
import { SavePreview } from './save-preview.tsx'
import { saveInput, stillNeeded, type Typed } from './save-values.ts'
import { usePatience } from './use-patience.ts'
import { useProblems } from './use-problems.ts'
import { useSave } from './use-save.ts'
import { useSaveValues } from './use-save-values.ts'

interface ReviewCardProps {
  extraction: Extraction
  typed: Typed
  collections: OwnCollections
  onChange: (some: Typed) => void
  heading: Ref<HTMLHeadingElement>
  onSaved: () => void
  /** The bookmark was saved and its banner has been read: start anew. */
  onDone: () => void
}

/** 'Review & Save': what was extracted, in the form beside its preview, until it is saved. */
export function ReviewCard({
  extraction,
  typed,
  collections,
  onChange,
  heading,
  onSaved,
  onDone,
}: ReviewCardProps) {
  const { busy, failure, save } = useSave(saveBookmark)
  const { problems, form, notice, report, forget } = useProblems()
  const [savedAs, setSavedAs] = useState<Bookmark | null>(null)
  const isHeld = savedAs?.is_held === true
  // Twice as long where there is twice as much to read.
  const banner = usePatience(savedAs !== null, limits.savedBannerSeconds * (isHeld ? 2000 : 1000), onDone)
  const { video } = extraction

  const change = useCallback(
    (some: Typed) => {
      onChange(some)
      forget(Object.keys(some))
    },
    [onChange, forget],
  )
  const found = useMemo(() => foundValues(extraction), [extraction])
  const values = useSaveValues(typed, found, collections, extraction.channel_name)
  const needed = stillNeeded(values, collections.list)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy || savedAs !== null || needed.length > 0) return
    const { bookmark, failure } = await save(saveInput(values, video), values.collection)
    if (bookmark === null) return report(failure.fields)
    setSavedAs(bookmark)
    // Whoever follows the banner's link does not come back to it.
    onSaved()
  }

  const fields = { values, onChange: change, problems }
  const suggestions = (
    <TagSuggestions
      suggested={extraction.suggested_tags}
      line={values.tags}
      onAdd={(tags) => change({ tags })}
    />
  )
  return (
    <section aria-labelledby="review-and-save" className="flex flex-col gap-6">
      <h2 ref={heading} id="review-and-save" tabIndex={-1} className="font-display text-25 font-bold">
        Review & Save
      </h2>
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
      <form ref={form} noValidate onSubmit={submit}>
        <BesidePreview
          source={
            <div className="flex flex-col gap-3">
              <SourceField {...fields} />
              {savedAs === null && <AlreadySaved url={values.source_url} place={values} />}
            </div>
          }
          preview={
            <SavePreview
              values={values}
              collections={collections.list}
              shape={video.shape}
              knownPlayer={video.provider !== null && values.embed_url === video.embed_url}
            />
          }
        >
          <VideoFields {...fields} required={false} />
          <TagsField {...fields} required suggestions={suggestions} />
          <PlaceFields place={values} onChange={change} collections={collections} problems={problems} />
          <BookmarkFields {...fields} hidden={isInPrivate(values, collections.list)} />
          {failure !== null && savedAs === null && <SaveFailed ref={notice} failure={failure} />}
          <div className="flex flex-col gap-2 sm:flex-row sm:items-center sm:gap-4">
            <Button
              type="submit"
              tone="accent"
              size="lg"
              busy={busy}
              busyText="Saving..."
              disabled={needed.length > 0 || savedAs !== null}
            >
              Save Bookmark
            </Button>
            {needed.length > 0 && (
              <p className="text-13 text-quiet">Add {new Intl.ListFormat('en').format(needed)} to save.</p>
            )}
          </div>
          {savedAs !== null && (
            <Notice {...banner} tone="success" polite>
              <p>Bookmark saved successfully!</p>
              {isHeld && <p>It will be public after a quick review.</p>}
              <ViewBookmark id={savedAs.id} />
            </Notice>
          )}
        </BesidePreview>
      </form>
    </section>
  )
}

/** What was extracted, as the form's fields; SFW is what a page says that says nothing. */
function foundValues({ video, suggested_tags }: Extraction): Typed {
  return {
    source_url: video.source_url,
    thumbnail_url: video.thumbnail_url ?? '',
    embed_url: video.embed_url ?? '',
    title: video.title,
    description: video.description,
    tags: suggested_tags.join(', '),
    ...(video.orientation !== 'sfw' && { orientation: video.orientation }),
  }
}
