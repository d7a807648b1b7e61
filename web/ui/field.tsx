import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react'

interface Wiring {
  id: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
}

const FieldContext = createContext<Wiring | null>(null)

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong; null or empty when nothing is. Several texts are shown one below the other. */
  error?: string | readonly string[] | null | undefined
  required?: boolean
  /** Only for those who listen: where the place makes clear what the field is. */
  labelHidden?: boolean
  className?: string
  children: ReactNode
}

/** Label above, hint below, error in the hint's place; the Input, Textarea or Select inside is wired to all three. */
export function Field({
  label,
  hint,
  error,
  required = false,
  labelHidden = false,
  className = '',
  children,
}: FieldProps) {
  const id = useId()
  const errors =
    error === null || error === undefined || error === '' ? [] : typeof error === 'string' ? [error] : error
  const invalid = errors.length > 0
  const describedBy = invalid ? `${id}-error` : hint === undefined ? undefined : `${id}-hint`
  return (
    <div className={`flex flex-col gap-1.5 ${className}`}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-14 font-medium text-ink'}>
        {label}
        {required && !labelHidden && (
          <span aria-hidden="true" className="text-quiet">
            {' '}
            *
          </span>
        )}
      </label>
      <FieldContext value={{ id, describedBy, invalid, required }}>{children}</FieldContext>
      {invalid ? (
        <div id={`${id}-error`} role="alert" className="text-13 text-danger">
          {errors.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      ) : (
        hint !== undefined && (
          <div id={`${id}-hint`} className="text-13 text-quiet">
            {hint}
          </div>
        )
      )}
    </div>
  )
}

function useWiring() {
  const wiring = useContext(FieldContext)
  if (wiring === null) return {}
  return {
    id: wiring.id,
    'aria-describedby': wiring.describedBy,
    'aria-invalid': wiring.invalid || undefined,
    'aria-required': wiring.required || undefined,
  }
}

export const controlClass =
  'w-full min-w-0 rounded-control border border-line-strong bg-raised text-16 text-ink transition-colors hover:border-quiet focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-danger'

export function Input({ className = '', ...rest }: ComponentProps<'input'>) {
  return <input {...useWiring()} {...rest} className={`${controlClass} h-11 px-3 ${className}`} />
}

export function Textarea({ className = '', rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useWiring()}
      {...rest}
      rows={rows}
      className={`${controlClass} field-sizing-content max-h-96 min-h-24 px-3 py-2.5 ${className}`}
    />
  )
}

/** The browser's own select, so that a phone shows its own wheel. */
export function Select({ className = '', children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select
        {...useWiring()}
        {...rest}
        className={`${controlClass} h-11 appearance-none pr-9 pl-3 ${className}`}
      >
        {children}
      </select>
      <svg
        aria-hidden="true"
        viewBox="0 0 16 16"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-quiet"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="m4 6 4 4 4-4" />
      </svg>
    </span>
  )
}

interface CheckboxProps extends ComponentProps<'input'> {
  label: ReactNode
  hint?: ReactNode
}

export function Checkbox({ label, hint, className = '', ...rest }: CheckboxProps) {
  const id = useId()
  return (
    <div className={`flex flex-col ${className}`}>
      <label className="flex min-h-11 items-center gap-3 text-14 text-ink">
        <input
          type="checkbox"
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          {...rest}
          className="size-5 shrink-0 cursor-pointer accent-accent disabled:cursor-not-allowed"
        />
        <span>{label}</span>
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="-mt-1 pl-8 text-13 text-quiet">
          {hint}
        </p>
      )}
    </div>
  )
}
