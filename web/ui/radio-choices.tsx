interface RadioChoicesProps<Value extends string> {
  /** The question that the choices answer. */
  label: string
  name: string
  choices: readonly { value: Value; label: string; hint?: string }[]
  /** Null: nothing is chosen yet. */
  value: Value | null
  onChange: (value: Value) => void
}

/** A radio group with one choice per line, each with an explanation. */
export function RadioChoices<Value extends string>({
  label,
  name,
  choices,
  value,
  onChange,
}: RadioChoicesProps<Value>) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-14 font-medium text-ink">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control border border-line px-3 py-2 transition-colors hover:border-line-strong has-checked:border-accent-ink"
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className="size-4.5 shrink-0 cursor-pointer accent-accent"
          />
          <span className="min-w-0">
            <span className="block text-14 text-ink">{choice.label}</span>
            {choice.hint !== undefined && <span className="block text-13 text-quiet">{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
