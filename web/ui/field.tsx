import { type ComponentProps, type ReactNode, useId } from 'react'
import { controlClass, FieldContext, useFieldProps } from './field-context.ts'

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** Error texts, shown one below the other. Null or empty: the field is valid. */
  error?: string | readonly string[] | null | undefined
  required?: boolean
  /** Hides the label visually, where the context makes clear what the field is. Screen readers still read it. */
  labelHidden?: boolean
  className?: string
  children: ReactNode
}

/** A form field: label above, hint or error below, all connected with the Input, Textarea or Select inside. */
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
        <FieldErrors id={`${id}-error`} errors={errors} />
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

/** The error texts of a control, which refers to them by their id. */
export function FieldErrors({ id, errors }: { id: string; errors: readonly string[] }) {
  return (
    <div id={id} role="alert" className="text-13 text-danger">
      {errors.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}

export function Input({ className = '', ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldProps()} {...rest} className={`${controlClass} h-11 px-3 ${className}`} />
}

export function Textarea({ className = '', rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldProps()}
      {...rest}
      rows={rows}
      className={`${controlClass} field-sizing-content max-h-96 min-h-24 px-3 py-2.5 ${className}`}
    />
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
