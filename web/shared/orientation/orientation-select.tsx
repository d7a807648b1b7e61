import { type OrientationFilter, orientationFilters } from '@reelmark/contract/protocol/fields.ts'
import { Select } from '../../ui/select.tsx'
import { readOrientation } from '../paging/search-params.ts'
import { storeLastOrientation } from './orientation-memory.ts'

export const orientationLabels: Record<OrientationFilter, string> = {
  all: 'All orientations',
  straight: 'Straight',
  gay: 'Gay',
  bi: 'Bi',
  trans: 'Trans',
  sfw: 'SFW',
}

/** A select for the orientation of a listing. The choice is remembered on the device. */
export function OrientationSelect({
  value,
  onChange,
  form,
  className = '',
}: {
  value: Exclude<OrientationFilter, 'all'> | undefined
  onChange: (value: Exclude<OrientationFilter, 'all'> | undefined) => void
  /** The id of a form elsewhere on the page that submits the choice. */
  form?: string
  className?: string
}) {
  return (
    <div className={className}>
      <Select
        name="orientation"
        form={form}
        aria-label="Orientation"
        value={value ?? 'all'}
        onChange={(event) => {
          const chosen = readOrientation(event.target.value)
          storeLastOrientation(chosen)
          onChange(chosen)
        }}
      >
        {orientationFilters.map((filter) => (
          <option key={filter} value={filter}>
            {orientationLabels[filter]}
          </option>
        ))}
      </Select>
    </div>
  )
}
