import { useCallback, useEffect, useRef, useState } from 'react'
import { findControl } from './save-fields.tsx'
import { type FieldErrors, saveFields } from './save-values.ts'

/** Shows problems at their fields, and puts the focus on the first of them. */
export function useFieldErrors() {
  const [problems, setProblems] = useState<FieldErrors>({})
  const form = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  // Each report moves the focus, even one that says what the last one said.
  const [reported, setReported] = useState(0)

  useEffect(() => {
    if (reported === 0) return
    const first = saveFields.find((field) =>
      form.current?.querySelector(`[name="${field}"][aria-invalid="true"]`),
    )
    const control = first !== undefined && form.current !== null ? findControl(form.current, first) : null
    ;(control ?? notice.current)?.focus()
  }, [reported])

  const report = useCallback((fieldErrors: FieldErrors) => {
    setProblems(fieldErrors)
    setReported((times) => times + 1)
  }, [])
  /** Someone is at work on these fields: their old problems have been heard. */
  const forget = useCallback((fields: readonly string[]) => {
    setProblems((before) =>
      fields.some((field) => field in before)
        ? Object.fromEntries(Object.entries(before).filter(([field]) => !fields.includes(field)))
        : before,
    )
  }, [])
  return { problems, form, notice, report, forget }
}
