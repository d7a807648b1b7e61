import { createContext, useContext } from 'react'

/** Properties that a field passes to its control. */
interface FieldProps {
  id: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
}

export const FieldContext = createContext<FieldProps | null>(null)

export function useFieldProps() {
  const field = useContext(FieldContext)
  if (field === null) return {}
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
    'aria-required': field.required || undefined,
  }
}

/** Classes shared by inputs, selects and search fields. */
export const controlClass =
  'w-full min-w-0 rounded-control border border-line-strong bg-raised text-16 text-ink transition-colors hover:border-quiet focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-danger'
