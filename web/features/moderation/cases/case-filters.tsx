import { reportTypes, targetKinds } from '@reelmark/contract/reports.ts'
import { Select } from '../../../ui/select.tsx'
import { reportTypeLabels, targetKindLabels } from '../moderation-labels.ts'
import { ages, type CaseSearch, standings } from './case-search.ts'

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

/** Filters the moderation queue. */
export function CaseFilters({ search, onChange }: CaseFiltersProps) {
  return (
    <search className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-5">
      <Filter
        label="Status"
        value={search.status ?? 'open'}
        choices={Object.entries(statuses)}
        onChange={(value) =>
          onChange({ status: value === 'open' ? undefined : (value as CaseSearch['status']) })
        }
      />
      <Filter
        label="Type"
        value={search.type ?? ''}
        choices={[['', 'All types'], ...reportTypes.map((type) => [type, reportTypeLabels[type]] as const)]}
        onChange={(value) => onChange({ type: reportTypes.find((type) => type === value) })}
      />
      <Filter
        label="Kind"
        value={search.kind ?? ''}
        choices={[
          ['', 'All content'],
          ...targetKinds.map((kind) => [kind, `${targetKindLabels[kind]}s`] as const),
        ]}
        onChange={(value) => onChange({ kind: targetKinds.find((kind) => kind === value) })}
      />
      <Filter
        label="Age"
        value={String(search.age ?? '')}
        choices={[['', 'Any date'], ...ages.map((age) => [String(age), ageLabels[age] ?? ''] as const)]}
        onChange={(value) => onChange({ age: value === '' ? undefined : Number(value) })}
      />
      <Filter
        label="Reporters"
        value={search.standing ?? ''}
        choices={[
          ['', 'All reporters'],
          ...standings.map((option) => [option, standingLabels[option]] as const),
        ]}
        onChange={(value) => onChange({ standing: standings.find((option) => option === value) })}
      />
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
