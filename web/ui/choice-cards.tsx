import Check from 'lucide-react/icons/check'
import type { ReactNode } from 'react'

interface ChoiceCardsProps<Value extends string> {
  /** The accessible name of the group. */
  label: string
  name: string
  choices: readonly { value: Value; label: string; hint?: string; picture?: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
  className?: string
}

/** A radio group whose choices are cards with a picture or an explanation. */
export function ChoiceCards<Value extends string>({
  label,
  name,
  choices,
  value,
  onChange,
  className = '',
}: ChoiceCardsProps<Value>) {
  return (
    <fieldset className={`grid gap-3 ${className}`}>
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="group relative flex cursor-pointer items-center gap-4 rounded-card border border-line bg-raised p-3 sm:flex-col sm:items-stretch sm:gap-3 transition-colors hover:border-line-strong has-checked:border-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className="absolute inset-0 z-10 cursor-pointer opacity-0"
          />
          {choice.picture !== undefined && <span className="w-28 shrink-0 sm:w-full">{choice.picture}</span>}
          <span className="flex min-w-0 flex-1 items-center gap-2">
            <span className="min-w-0 flex-1">
              <span className="block text-14 font-medium text-ink">{choice.label}</span>
              {choice.hint !== undefined && <span className="block text-13 text-quiet">{choice.hint}</span>}
            </span>
            <span
              aria-hidden="true"
              className="flex size-5 shrink-0 items-center justify-center rounded-full border border-line-strong group-has-checked:border-transparent group-has-checked:bg-accent group-has-checked:text-accent-text"
            >
              <Check className="size-3.5 opacity-0 group-has-checked:opacity-100 stroke-[2.5]" />
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
