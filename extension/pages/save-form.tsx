import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Button } from '@reelmark/web/ui/button.tsx'
import { clockDuration } from '@reelmark/web/ui/duration.ts'
import { Checkbox, Field, Input, Textarea } from '@reelmark/web/ui/field.tsx'
import { Notice } from '@reelmark/web/ui/notice.tsx'
import { type SubmitEvent, useRef, useState } from 'react'
import { requestSaves, sendMessage } from '../messages.ts'
import { isSavable } from '../saves/find-saved.ts'
import type { PageDetails } from '../saves/page-details.ts'
import type { SaveOutcome } from '../saves/save-outcome.ts'
import { writeStored } from '../stored.ts'
import { AlreadySaved } from './already-saved.tsx'
import { DestinationFields, PrivateSwitch } from './option-fields.tsx'
import { requestedOptions, type SaveOptions, tagProblem, useAccount, useSaveOptions } from './save-options.ts'
import { TagsField } from './tags-field.tsx'
import { useDraft } from './use-draft.ts'

interface Values extends SaveOptions {
  title: string
  url: string
  note: string
  startsAtCurrentTime: boolean
}

interface SaveFormProps {
  page: PageDetails
  /** Null: not connected. What is saved is sent after connecting. */
  site: string | null
  onDone: (outcome: SaveOutcome) => void
}

/** The form that saves the page of the active tab. */
export function SaveForm({ page, site, onDone }: SaveFormProps) {
  const isConnected = site !== null
  const { account, hasFailed } = useAccount(isConnected)
  const draft = useDraft<Values>(page.url)
  const [urlProblem, setUrlProblem] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const urlInput = useRef<HTMLInputElement>(null)
  const options = useSaveOptions(draft.values ?? {}, account)
  if (draft.values === undefined) return null

  const { title, url } = isSavable(page.url) ? page : { title: '', url: '' }
  const values: Values = { startsAtCurrentTime: false, title, url, note: '', ...options, ...draft.values }
  const tagsError = tagProblem(values.tags)

  function change(changes: Partial<Values>): void {
    if (changes.url !== undefined) setUrlProblem(null)
    setFailure(null)
    draft.change(changes)
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const url = values.url.trim()
    if (!isSavable(url)) {
      setUrlProblem('Enter a full URL starting with https://')
      urlInput.current?.focus()
      return
    }
    if (tagsError !== null) return
    setSaving(true)
    if (values.destination !== null) await writeStored('lastDestination', values.destination)
    const request = {
      url,
      title: values.title.trim(),
      note: values.note.trim(),
      startSeconds: values.startsAtCurrentTime ? page.seconds : null,
      ...requestedOptions(values),
    }
    const [result] = await requestSaves([request])
    setSaving(false)
    if (result === undefined) {
      setFailure('If it isn\'t listed below, try again.')
      return
    }
    if (result.outcome.kind === 'refused') {
      // The form still has it.
      setFailure(result.outcome.text)
      await sendMessage({ type: 'discard', key: result.key })
      return
    }
    draft.change(null)
    onDone(result.outcome)
  }

  return (
    <form
      noValidate
      aria-busy={isSaving || undefined}
      className="peer flex flex-col gap-3"
      onSubmit={(event) => void submit(event)}
    >
      {isConnected && (
        <AlreadySaved
          site={site}
          url={values.url}
          tab={page.tabId === null ? null : { id: page.tabId, url: page.url }}
        />
      )}
      <Field label="Title" hint="If you leave it blank, the page's own title is used.">
        <Input
          name="title"
          value={values.title}
          maxLength={limits.titleMax}
          autoComplete="off"
          onChange={({ target }) => change({ title: target.value })}
        />
      </Field>
      <Field label="Address" error={urlProblem}>
        <Input
          ref={urlInput}
          type="url"
          name="url"
          value={values.url}
          maxLength={limits.urlMax}
          aria-required
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          onChange={({ target }) => change({ url: target.value })}
        />
      </Field>
      {page.seconds !== null && (
        <Checkbox
          label={`Start at ${clockDuration(page.seconds)}, where the video is now`}
          checked={values.startsAtCurrentTime}
          onChange={({ target }) => change({ startsAtCurrentTime: target.checked })}
        />
      )}
      <DestinationFields options={values} onChange={change} account={account} hasFailed={hasFailed} />
      <TagsField
        line={values.tags}
        onChange={(tags) => change({ tags })}
        problem={tagsError}
        keywords={page.keywords}
        isConnected={isConnected}
      />
      <Field label="Private note" hint="Optional. Only you can read it.">
        <Textarea
          name="note"
          rows={2}
          className="min-h-16!"
          value={values.note}
          maxLength={limits.privateNoteMax}
          onChange={({ target }) => change({ note: target.value })}
        />
      </Field>
      <PrivateSwitch options={values} onChange={change} account={account} />
      {failure !== null && (
        <Notice tone="danger" urgent title="Couldn't save this">
          <p className="wrap-anywhere text-quiet">{failure}</p>
        </Notice>
      )}
      {/* Popups are lower than the form. */}
      <div className="sticky bottom-0 z-10 -mx-4 border-t border-line bg-surface px-4 py-3">
        <Button type="submit" tone="accent" className="w-full" busy={isSaving} busyText="Saving...">
          Save
        </Button>
      </div>
    </form>
  )
}
