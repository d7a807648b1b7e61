import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import { AccessOptions } from '../../shared/access-options.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'

interface AccessFieldProps {
  value: BookmarkAccess
  onChange: (access: BookmarkAccess) => void
  /** Whether the collection is private, which overrides the access. */
  isHidden: boolean
  error?: string | readonly string[] | undefined
  required?: boolean
}

/** The field for the access of a bookmark. */
export function AccessField({ value, onChange, isHidden, error, required }: AccessFieldProps) {
  return (
    <Field label="Access" error={error} hint={accessHint(value, isHidden)}>
      <Select
        aria-required={required}
        name="access"
        value={value}
        onChange={(event) => onChange(event.target.value as BookmarkAccess)}
      >
        <AccessOptions />
      </Select>
    </Field>
  )
}

function accessHint(access: BookmarkAccess, isHidden: boolean): string {
  if (isHidden) return 'Only you can see this bookmark, because its collection is private.'
  return access === 'private' ? 'Only you can see this bookmark.' : 'Anyone can see this bookmark.'
}
