import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '../session/session.ts'
import { readDraft, writeDraft } from './draft-store.ts'

export type Draft<T> = readonly [
  value: T,
  change: (to: (before: T) => T) => void,
  clear: () => void,
  forget: () => void,
]

/**
 * State that is kept in this tab as a draft of whoever is signed in: it survives a reload and the way to the login
 * page and back. `clear` forgets it and starts again from `initial`; `forget` only keeps it no longer, for a form that
 * goes on showing what was sent.
 * @param form one name per form: `'add-bookmark-manual'`.
 * @param initial what a form without a draft starts with; a draft overrides it field by field.
 */
export function useDraft<T extends object>(form: string, initial: T): Draft<T> {
  const { username } = useSession()
  // Somebody else in the same tab starts with a form of their own; this one stays whose it was. Nobody's is not kept.
  const [name] = useState(() => (username === null ? null : `${username.toLowerCase()}:${form}`))
  const [value, setValue] = useState<T>(() => ({ ...initial, ...(name !== null && readDraft(name)) }))
  const isEdited = useRef(false)
  useEffect(() => {
    if (isEdited.current && name !== null) writeDraft(name, value)
  }, [name, value])
  const change = useCallback((to: (before: T) => T) => {
    isEdited.current = true
    setValue(to)
  }, [])
  const forget = useCallback(() => {
    isEdited.current = false
    if (name !== null) writeDraft(name, null)
  }, [name])
  const clear = useCallback(() => {
    forget()
    setValue(initial)
  }, [forget, initial])
  return [value, change, clear, forget]
}
