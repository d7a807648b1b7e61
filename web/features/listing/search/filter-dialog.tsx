import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import type { ExploreSearch } from '../explore-search.ts'
import { type Filters, readMinutes } from './filters.ts'

interface FilterDialogProps {
  open: boolean
  onClose: () => void
  search: ExploreSearch
  onApply: (filters: Filters) => void
}

/** The filters of Explore by duration, date and site. */
export function FilterDialog({ open, onClose, ...rest }: FilterDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Filters">
      <FilterForm {...rest} />
    </Dialog>
  )
}

function FilterForm({ search, onApply }: Pick<FilterDialogProps, 'search' | 'onApply'>) {
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
    onApply({ host: textOf('host') || undefined, min_duration, max_duration, saved_after, saved_before })
  }

  const minutes = (seconds: number | undefined) => (seconds === undefined ? '' : seconds / 60)
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
      <div className="grid grid-cols-2 gap-4">
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
      <DialogFooter>
        <Button
          onClick={() =>
            onApply({
              host: undefined,
              min_duration: undefined,
              max_duration: undefined,
              saved_after: undefined,
              saved_before: undefined,
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
