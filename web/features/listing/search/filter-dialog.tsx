import { type BookmarkAccess, orientationFilters } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type FormEvent, useState } from 'react'
import { orientationLabels } from '../../../shared/orientation/orientation-select.tsx'
import { readOrientation } from '../../../shared/paging/search-params.ts'
import { useSession } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import type { ExploreSearch } from '../explore-search.ts'
import { type FilterOptions, type Filters, readMinutes } from './filters.ts'
import { OwnFilters } from './own-filters.tsx'

/** The values of the field 'Access'. */
const accessChoices: Partial<Record<string, BookmarkAccess>> = { public: 'public', private: 'private' }
/** The values of the field 'Watched'. */
const watchedChoices: Partial<Record<string, boolean>> = { true: true, false: false }

interface FilterDialogProps extends FilterOptions {
  open: boolean
  onClose: () => void
  search: ExploreSearch
  onApply: (filters: Filters) => void
}

/**
 * The filters of a list by tag, duration, date and site; for signed-in users by what they have watched, and in their own
 * lists by what only they see.
 */
export function FilterDialog({ open, onClose, ...rest }: FilterDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Filters" canDiscard>
      <FilterForm {...rest} />
    </Dialog>
  )
}

function FilterForm({
  search,
  onApply,
  kind,
  isInContainer = false,
  hasOrientation = false,
}: Omit<FilterDialogProps, 'open' | 'onClose'>) {
  const { status } = useSession()
  const [errors, setErrors] = useState<Partial<Record<keyof Filters, string>>>({})

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const textOf = (name: keyof Filters) => String(form.get(name) ?? '').trim()
    const min_duration = readMinutes(textOf('min_duration'))
    const max_duration = readMinutes(textOf('max_duration'))
    const saved_after = textOf('saved_after') || undefined
    const saved_before = textOf('saved_before') || undefined
    const hoursMax = limits.durationMax / 3600
    const found: typeof errors = {}
    if (min_duration === null) found.min_duration = `Enter minutes, up to ${hoursMax} hours.`
    if (max_duration === null) found.max_duration = `Enter minutes, up to ${hoursMax} hours.`
    if (typeof min_duration === 'number' && typeof max_duration === 'number' && max_duration < min_duration) {
      found.max_duration = 'Must be at least the shortest duration.'
    }
    if (saved_after !== undefined && saved_before !== undefined && saved_before <= saved_after) {
      found.saved_before = 'Must be later than the first day.'
    }
    setErrors(found)
    if (min_duration === null || max_duration === null || Object.keys(found).length > 0) return
    // Without the field, the choice stays as it is in the address.
    const watched = form.has('watched') ? watchedChoices[textOf('watched')] : search.watched
    const host = textOf('host') || undefined
    // Filters that this list does not offer stay as they are.
    const isOwn = kind === 'own'
    const readTrue = (name: 'untagged' | 'no_picture' | 'no_player') =>
      isOwn ? form.has(name) || undefined : search[name]
    onApply({
      orientation: hasOrientation ? readOrientation(textOf('orientation')) : search.orientation,
      tag: form.has('tag') ? textOf('tag').toLowerCase() || undefined : search.tag,
      host,
      min_duration,
      max_duration,
      saved_after,
      saved_before,
      watched,
      access: isOwn ? accessChoices[textOf('access')] : search.access,
      collection: form.has('collection') ? Number(textOf('collection')) || undefined : search.collection,
      untagged: readTrue('untagged'),
      no_picture: readTrue('no_picture'),
      no_player: readTrue('no_player'),
    })
  }

  const minutes = (seconds: number | undefined) => (seconds === undefined ? '' : seconds / 60)
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
      {/* One column where a date would be cut. */}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(max(9rem,40%),1fr))] gap-4">
        <Field label="Shortest, in minutes" error={errors.min_duration}>
          <Input
            name="min_duration"
            inputMode="decimal"
            defaultValue={minutes(search.min_duration)}
            data-autofocus
          />
        </Field>
        <Field label="Longest, in minutes" error={errors.max_duration}>
          <Input name="max_duration" inputMode="decimal" defaultValue={minutes(search.max_duration)} />
        </Field>
        <Field label="Saved from" error={errors.saved_after}>
          <Input name="saved_after" type="date" defaultValue={search.saved_after ?? ''} />
        </Field>
        <Field label="Saved before" error={errors.saved_before}>
          <Input name="saved_before" type="date" defaultValue={search.saved_before ?? ''} />
        </Field>
      </div>
      {hasOrientation && (
        <Field label="Orientation">
          <Select name="orientation" defaultValue={search.orientation ?? 'all'}>
            {orientationFilters.map((filter) => (
              <option key={filter} value={filter}>
                {orientationLabels[filter]}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {kind !== 'explore' && (
        <Field label="Tag">
          <Input name="tag" autoCapitalize="none" maxLength={limits.tagMax} defaultValue={search.tag ?? ''} />
        </Field>
      )}
      <Field label="Site" hint="Its subdomains are included.">
        <Input
          name="host"
          placeholder="vimeo.com"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.hostMax}
          defaultValue={search.host ?? ''}
        />
      </Field>
      {status === 'signed-in' && (
        <Field label="Watched">
          <Select name="watched" defaultValue={String(search.watched ?? '')}>
            <option value="">All</option>
            <option value="false">Not watched</option>
            <option value="true">Watched</option>
          </Select>
        </Field>
      )}
      {kind === 'own' && <OwnFilters search={search} hasCollection={!isInContainer} />}
      <DialogFooter>
        <Button
          onClick={() =>
            onApply({
              orientation: hasOrientation ? undefined : search.orientation,
              host: undefined,
              min_duration: undefined,
              max_duration: undefined,
              saved_after: undefined,
              saved_before: undefined,
              watched: undefined,
              tag: kind === 'explore' ? search.tag : undefined,
              access: undefined,
              collection: undefined,
              untagged: undefined,
              no_picture: undefined,
              no_player: undefined,
            })
          }
        >
          Clear
        </Button>
        <Button type="submit" tone="accent">
          Apply
        </Button>
      </DialogFooter>
    </form>
  )
}
