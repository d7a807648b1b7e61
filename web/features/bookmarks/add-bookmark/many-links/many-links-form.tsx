import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Draft } from '../../../../shared/forms/use-draft.ts'
import { useAutofocus } from '../../../../shared/hooks/use-autofocus.ts'
import { useFocusAfter } from '../../../../shared/hooks/use-focus-after.ts'
import { OrientationOptions } from '../../../../shared/orientation/orientation-options.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Field, Textarea } from '../../../../ui/field.tsx'
import { ListBox } from '../../../../ui/list-box.tsx'
import { pluralise } from '../../../../ui/pluralise.ts'
import { SectionTitle } from '../../../../ui/section-title.tsx'
import { Select } from '../../../../ui/select.tsx'
import { isInField } from '../../../../ui/shortcuts.ts'
import { useDebouncedValue } from '../../../../ui/use-debounced-value.ts'
import { AccessField } from '../../access-field.tsx'
import { isInPrivateCollection, storeLastDestination } from '../../destination/destination.ts'
import { DestinationFields, type OwnCollections } from '../../destination/destination-fields.tsx'
import { invalidateBookmarks } from '../../invalidate-bookmarks.ts'
import { TagsInput } from '../../tags/tags-input.tsx'
import { FormWithPreview } from '../form-with-preview.tsx'
import { inlineLinkClass } from '../save-failure-notice.tsx'
import { type EditedValues, fieldLabels, isDestinationMissing, tagErrors } from '../save-values.ts'
import { useSaveValues } from '../use-save-values.ts'
import { LinkRow } from './link-row.tsx'
import { readLinks, withoutLinks } from './links-text.ts'
import { useLinkStates } from './use-link-states.ts'
import { useSaveLinks } from './use-save-links.ts'

export interface ManyLinksDraft {
  /** The links that are not saved yet, and the text around them. */
  text: string
  /** The values common to all links. */
  edited: EditedValues
}

export const emptyManyLinksDraft: ManyLinksDraft = { text: '', edited: {} }

const noExtractedValues: EditedValues = {}

interface ManyLinksFormProps {
  draft: Draft<ManyLinksDraft>
  collections: OwnCollections
  /** Whether the user just entered the links, so that the form gets the focus. */
  autofocus: boolean
  onAddManually: (url: string) => void
  /** Leaves the form; links in the draft stay. */
  onClose: () => void
}

/** Saves several links with a common destination, tags and access. A link leaves the field once it is saved. */
export function ManyLinksForm({
  draft: [{ text, edited }, updateDraft, clearDraft],
  collections,
  autofocus,
  onAddManually,
  onClose,
}: ManyLinksFormProps) {
  const client = useQueryClient()
  const heading = useAutofocus<HTMLHeadingElement>(autofocus)
  const [summary, focusSummary] = useFocusAfter<HTMLParagraphElement>()
  const values = useSaveValues(edited, noExtractedValues, collections, null)
  const removeLinks = (urls: readonly string[]) =>
    updateDraft((before) => ({ ...before, text: withoutLinks(before.text, urls) }))

  const saving = useSaveLinks({
    onSaved: (url) => removeLinks([url]),
    onFinished() {
      invalidateBookmarks(client)
      // The user may already be changing the tags for the next links.
      if (!isInField(document.activeElement)) focusSummary()
    },
  })
  const links = readLinks(useDebouncedValue(text, 400))
  const isRunning = saving.left > 0
  const batch = links.slice(0, limits.linksAtOnceMax)
  const states = useLinkStates(batch, saving.results)
  const rows = [...saving.savedUrls.filter((url) => !batch.includes(url)), ...batch]
  const count = (state: string) => rows.filter((url) => states.get(url)?.state === state).length
  const toSave = batch.filter((url) => ['ready', 'failed'].includes(states.get(url)?.state ?? ''))
  const known = batch.filter((url) => states.get(url)?.state === 'known')

  const change = (changes: EditedValues) =>
    updateDraft((before) => ({ ...before, edited: { ...before.edited, ...changes } }))

  function save(urls: readonly string[]) {
    storeLastDestination(values)
    void saving.save(urls, values)
    focusSummary()
  }

  function remove(urls: readonly string[]) {
    for (const url of urls) saving.forget(url)
    removeLinks(urls)
    focusSummary()
  }

  const problems = tagErrors(values.tags)
  const isMissing = isDestinationMissing(values, collections.list)
  const facts = [
    ...(isRunning ? [`${saving.left} left`] : []),
    ...(count('saved') > 0 ? [`${count('saved')} saved`] : []),
    ...(count('ready') > 0 && !isRunning ? [`${count('ready')} to save`] : []),
    ...(known.length > 0 ? [`${known.length} already in your vault`] : []),
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
  ]
  return (
    <section aria-labelledby="many-links" className="flex flex-col gap-5">
      <SectionTitle
        ref={heading}
        id="many-links"
        tabIndex={-1}
        sizeClass="text-25"
        className="tracking-normal!"
      >
        Save many links
      </SectionTitle>
      <FormWithPreview
        source={
          <Field
            label="Video links"
            hint={`One per line, or any text with links. Up to ${limits.linksAtOnceMax} are saved at once. A link leaves this field once it's saved.`}
          >
            <Textarea
              name="links"
              value={text}
              readOnly={isRunning}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => updateDraft((before) => ({ ...before, text: event.target.value }))}
            />
          </Field>
        }
        preview={
          <div className="flex flex-col gap-3">
            <p ref={summary} tabIndex={-1} role="status" className="text-14 font-medium text-ink">
              {facts.length === 0 ? 'No links to save.' : `${facts.join(', ')}.`}
            </p>
            {rows.length > 0 && (
              <ListBox aria-label="Links">
                {rows.map((url) => (
                  <LinkRow
                    key={url}
                    url={url}
                    row={states.get(url) ?? { state: 'checking' }}
                    isRunning={isRunning}
                    onRetry={() => save([url])}
                    onAddManually={() => onAddManually(url)}
                    onRemove={() => remove([url])}
                  />
                ))}
              </ListBox>
            )}
            {links.length > batch.length && <MoreLinks count={links.length - batch.length} />}
          </div>
        }
      >
        <DestinationFields
          destination={values}
          onChange={change}
          collections={collections}
          problems={problems}
        />
        <Field
          label={fieldLabels.tags}
          hint="Optional. For all links. Separate tags with commas."
          error={problems.tags}
        >
          <TagsInput required={false} value={values.tags} onChange={(tags) => change({ tags })} />
        </Field>
        <Field label={fieldLabels.orientation} hint="For videos whose site doesn't state it.">
          <Select
            name="orientation"
            value={values.orientation}
            onChange={(event) => change({ orientation: event.target.value as typeof values.orientation })}
          >
            <OrientationOptions />
          </Select>
        </Field>
        <AccessField
          value={values.access}
          onChange={(access) => change({ access })}
          isHidden={isInPrivateCollection(values, collections.list)}
        />
        <div className="flex flex-wrap items-center gap-2">
          {isRunning ? (
            <Button size="lg" onClick={saving.stop}>
              Stop
            </Button>
          ) : toSave.length > 0 ? (
            <Button
              tone="accent"
              size="lg"
              disabled={isMissing || problems.tags !== undefined}
              onClick={() => save(toSave)}
            >
              Save {pluralise(toSave.length, 'link')}
            </Button>
          ) : null}
          {!isRunning && known.length > 0 && (
            <Button size="lg" onClick={() => remove(known)}>
              Remove {known.length} already saved
            </Button>
          )}
          {!isRunning && text !== '' && (
            <Button size="lg" tone="quiet" onClick={onClose}>
              Add one link instead
            </Button>
          )}
          {!isRunning && (
            <Button
              size="lg"
              tone="quiet"
              onClick={() => {
                clearDraft()
                onClose()
              }}
            >
              {text === '' ? 'Done' : 'Discard links'}
            </Button>
          )}
          {isMissing && <p className="text-13 text-quiet">Choose a channel to save.</p>}
        </div>
      </FormWithPreview>
    </section>
  )
}

function MoreLinks({ count }: { count: number }) {
  return (
    <p className="text-14 text-quiet">
      {pluralise(count, 'more link')} will follow. For long lists, import them as a text file in{' '}
      <Link to="/settings/data" className={inlineLinkClass}>
        Settings → Data
      </Link>
      .
    </p>
  )
}
