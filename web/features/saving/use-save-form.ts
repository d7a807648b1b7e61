import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSession } from '../../session.ts'
import { likelyPlace } from './place.ts'
import type { OwnCollections } from './place-fields.tsx'
import { controlOf } from './save-fields.tsx'
import { blankValues, type FieldProblems, type SaveValues, saveFields } from './save-values.ts'

/** What a form starts with for whoever is signed in: their own default orientation, else SFW. */
export function useStartValues(): SaveValues {
  const wished = useSession().user?.profile?.default_bookmark_orientation
  return useMemo(
    () => (wished === undefined ? blankValues : { ...blankValues, orientation: wished }),
    [wished],
  )
}

/** Puts the bookmark where it most likely belongs, once one's collections are known and nothing was chosen. */
export function useLikelyPlace(
  values: SaveValues | null,
  change: (values: Partial<SaveValues>) => void,
  { list, loading }: OwnCollections,
  channelName: string | null,
): void {
  const { user } = useSession()
  const preferred = user?.profile?.default_bookmark_collection ?? null
  const offered = useRef(false)
  const open = values !== null && !loading && list.length > 0
  const chosen = values?.collection ?? null
  useEffect(() => {
    if (!open) {
      offered.current = false
      return
    }
    if (offered.current) return
    offered.current = true
    // A collection that is gone since the draft was kept is no choice either.
    if (list.some(({ id }) => id === chosen)) return
    change(likelyPlace(list, { preferred, channelName }))
  }, [open, chosen, list, preferred, channelName, change])
}

/** Shows problems at their fields, and puts the focus on the first of them. */
export function useProblems() {
  const [problems, setProblems] = useState<FieldProblems>({})
  const form = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  // Each report moves the focus, even one that says what the last one said.
  const [reported, setReported] = useState(0)

  useEffect(() => {
    if (reported === 0) return
    const first = saveFields.find((field) =>
      form.current?.querySelector(`[name="${field}"][aria-invalid="true"]`),
    )
    const control = first !== undefined && form.current !== null ? controlOf(form.current, first) : null
    ;(control ?? notice.current)?.focus()
  }, [reported])

  const report = useCallback((found: FieldProblems) => {
    setProblems(found)
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
