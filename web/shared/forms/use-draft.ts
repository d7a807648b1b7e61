import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '../session/session.ts'
import { getSession } from '../session/session-store.ts'
import { readDraft, writeDraft } from './draft-store.ts'

export type Draft<T> = readonly [
  value: T,
  update: (updater: (before: T) => T) => void,
  clear: () => void,
  discard: () => void,
]

/**
 * Returns state that is stored in this tab as a draft of the viewer, so that it survives a reload and a visit to the
 * login page. `clear` deletes the draft and restores `initial`. `discard` only deletes the draft, for a form that
 * continues to show what was sent.
 * @param form a unique name of the form: `'add-bookmark-manual'`.
 * @param initial the state without a draft. The fields of a draft override it.
 */
export function useDraft<T extends object>(form: string, initial: T): Draft<T> {
  const { username } = useSession()
  // The draft belongs to the user who opened the form, even if another user signs in in this tab. Visitors' drafts are
  // not stored.
  const [name] = useState(() => (username === null ? null : `${username.toLowerCase()}:${form}`))
  const [value, setValue] = useState<T>(() => ({ ...initial, ...(name !== null && readDraft(name)) }))
  const isEdited = useRef(false)
  useEffect(() => {
    // Nothing is stored for a user who has signed out meanwhile.
    const isOwner = name?.startsWith(`${getSession().username?.toLowerCase()}:`) === true
    if (isEdited.current && isOwner) writeDraft(name, value)
  }, [name, value])
  const update = useCallback((updater: (before: T) => T) => {
    isEdited.current = true
    setValue(updater)
  }, [])
  const discard = useCallback(() => {
    isEdited.current = false
    if (name !== null) writeDraft(name, null)
  }, [name])
  const clear = useCallback(() => {
    discard()
    setValue(initial)
  }, [discard, initial])
  return [value, update, clear, discard]
}
