import { reportTypes, targetKinds } from '@reelmark/contract/reports.ts'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import X from 'lucide-react/icons/x'
import { useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { chipClass } from '../../../ui/chip.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { reportTypeLabels, targetKindLabels } from '../moderation-labels.ts'
import { ages, type CaseSearch, readCaseSearch, standings } from './case-search.ts'

const ageLabels: Record<number, string> = {
  24: 'Older than a day',
  72: 'Older than 3 days',
  168: 'Older than a week',
  720: 'Older than 30 days',
}
const standingLabels = { good: 'Reliable reporters', poor: 'Unreliable reporters', new: 'New reporters' }
const statuses = { open: 'Open', approved: 'Approved', rejected: 'Rejected', all: 'Any status' }

interface CaseFiltersProps {
  search: CaseSearch
  /** Changing a filter returns to the first page and closes the open case. */
  onChange: (changes: Partial<CaseSearch>) => void
}

interface CaseFilter {
  name: 'status' | 'type' | 'kind' | 'age' | 'standing'
  label: string
  /** The first is the default. */
  choices: readonly (readonly [value: string, label: string])[]
}

const filters: readonly CaseFilter[] = [
  { name: 'status', label: 'Status', choices: Object.entries(statuses) },
  {
    name: 'type',
    label: 'Type',
    choices: [['', 'All types'], ...reportTypes.map((type) => [type, reportTypeLabels[type]] as const)],
  },
  {
    name: 'kind',
    label: 'Kind',
    choices: [
      ['', 'All content'],
      ...targetKinds.map((kind) => [kind, `${targetKindLabels[kind]}s`] as const),
    ],
  },
  {
    name: 'age',
    label: 'Age',
    choices: [['', 'Any date'], ...ages.map((age) => [String(age), ageLabels[age] ?? ''] as const)],
  },
  {
    name: 'standing',
    label: 'Reporters',
    choices: [['', 'All reporters'], ...standings.map((option) => [option, standingLabels[option]] as const)],
  },
]

/** Filters the moderation queue: a button that shows the filters, and a chip for each that is set. */
export function CaseFilters({ search, onChange }: CaseFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const set = (name: CaseFilter['name'], value: string | undefined) =>
    onChange({ [name]: readCaseSearch({ [name]: value })[name] })
  return (
    <search className="flex flex-wrap items-center gap-2">
      <Button ref={opener} size="sm" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <SlidersHorizontal className="size-4" />
        Filter
      </Button>
      {filters.map(({ name, label, choices }) => {
        const value = search[name]
        if (value === undefined) return null
        const choice = choices.find(([option]) => option === String(value))?.[1]
        return (
          <button
            key={name}
            type="button"
            className={chipClass}
            onClick={() => {
              set(name, undefined)
              // This chip, which has the focus, is about to disappear.
              opener.current?.focus()
            }}
          >
            <span className="sr-only">{label}: </span>
            <span className="truncate">{choice}</span>
            <X className="size-3.5 shrink-0" />
            <span className="sr-only">Remove</span>
          </button>
        )
      })}
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Filter the queue"
        actions={
          <Button tone="accent" onClick={() => setOpen(false)}>
            Done
          </Button>
        }
      >
        <div className="grid gap-4 pt-1 sm:grid-cols-2">
          {filters.map(({ name, label, choices }) => (
            <Field key={name} label={label}>
              <Select
                value={String(search[name] ?? choices[0]?.[0])}
                onChange={({ target }) => set(name, target.value)}
              >
                {choices.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </Select>
            </Field>
          ))}
        </div>
      </Dialog>
    </search>
  )
}

export function Filter({
  label,
  value,
  choices,
  onChange,
}: {
  label: string
  value: string
  choices: readonly (readonly [value: string, label: string])[]
  onChange: (value: string) => void
}) {
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-9! text-14! pointer-coarse:h-11!"
    >
      {choices.map(([choice, name]) => (
        <option key={choice} value={choice}>
          {name}
        </option>
      ))}
    </Select>
  )
}
