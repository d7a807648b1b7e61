import { createContext, useContext } from 'react'

/** What a field tells the control in it. */
interface FieldProps {
  id: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
}

export const FieldContext = createContext<FieldProps | null>(null)

export function useFieldProps() {
  const wiring = useContext(FieldContext)
  if (wiring === null) return {}
  return {
    id: wiring.id,
    'aria-describedby': wiring.describedBy,
    'aria-invalid': wiring.invalid || undefined,
    'aria-required': wiring.required || undefined,
  }
}

/** What inputs, selects and search fields look like. */
export const controlClass =
  'w-full min-w-0 rounded-control border border-line-strong bg-raised text-16 text-ink transition-colors hover:border-quiet focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-danger'
