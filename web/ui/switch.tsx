import { type ComponentProps, type ReactNode, useId } from 'react'

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role'> {
  label: ReactNode
  checked: boolean
  hint?: ReactNode
  /** Error text, shown in place of the hint. */
  error?: string | null
}

/** An on/off setting that takes effect immediately. The label is on the left, and the whole row is clickable. */
export function Switch({ label, hint, error, checked, className = '', ...rest }: SwitchProps) {
  const id = useId()
  const stateText = error ?? hint
  return (
    <label htmlFor={id} className={`group flex min-h-11 cursor-pointer items-center gap-4 py-3 ${className}`}>
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span id={`${id}-label`} className="text-14 font-medium text-ink">
          {label}
        </span>
        {stateText !== undefined && (
          <span
            id={`${id}-hint`}
            role={error ? 'alert' : undefined}
            className={`text-13 ${error ? 'text-danger' : 'text-quiet'}`}
          >
            {stateText}
          </span>
        )}
      </span>
      <Toggle
        id={id}
        checked={checked}
        aria-labelledby={`${id}-label`}
        aria-describedby={stateText === undefined ? undefined : `${id}-hint`}
        {...rest}
      />
    </label>
  )
}

/** The control of a switch, for rows with several of them. It needs an accessible name and a `group` around it. */
export function Toggle({
  checked,
  ...rest
}: Omit<ComponentProps<'input'>, 'type' | 'role' | 'className'> & { checked: boolean }) {
  return (
    <span className="relative inline-flex h-6 w-11 shrink-0">
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        {...rest}
        className="peer absolute inset-0 cursor-pointer appearance-none rounded-full border border-line-strong bg-sunken transition-colors group-hover:border-quiet checked:border-transparent checked:bg-accent"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute top-1 left-1 size-4 rounded-full bg-quiet transition-transform peer-checked:translate-x-5 peer-checked:bg-accent-text"
      />
    </span>
  )
}
