import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'

const days = [7, 30, 90, 365]

/** The field `expires_in_days` of a form that creates an access token. */
export function ExpirySelect({
  defaultDays,
  error,
}: {
  defaultDays: number
  error?: string | readonly string[] | undefined
}) {
  return (
    <Field label="Expires" error={error}>
      <Select name="expires_in_days" defaultValue={defaultDays}>
        {days.map((count) => (
          <option key={count} value={count}>
            In {count} days
          </option>
        ))}
        <option value="">Never</option>
      </Select>
    </Field>
  )
}

/** Returns the value of the field: null if the token does not expire. */
export function readExpiry(value: string): number | null {
  return value === '' ? null : Number(value)
}
