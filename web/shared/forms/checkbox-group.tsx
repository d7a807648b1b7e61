import { Checkbox } from '../../ui/field.tsx'

interface CheckboxGroupProps<Value extends string> {
  legend: string
  /** The name of the fields. */
  name: string
  choices: readonly { value: Value; label: string; hint: string }[]
  /** The value that is chosen at first. */
  initial: Value
  error: string | readonly string[] | undefined
}

/** Checkboxes of one name, of which at least one has to be chosen. */
export function CheckboxGroup<Value extends string>(props: CheckboxGroupProps<Value>) {
  const { legend, name, choices, initial, error } = props
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-14 font-medium text-ink">{legend}</legend>
      {choices.map((choice) => (
        <Checkbox key={choice.value} name={name} {...choice} defaultChecked={choice.value === initial} />
      ))}
      {error !== undefined && (
        <p role="alert" className="mt-1 text-13 text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
