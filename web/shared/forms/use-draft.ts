import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '../session/session.ts'
import { getSession } from '../session/session-store.ts'
import { type DraftStorage, draftName, draftPrefix, readDraft, writeDraft } from './draft-store.ts'

export type Draft<T> = readonly [
  value: T,
  update: (updater: (before: T) => T) => void,
  clear: () => void,
  discard: () => void,
]

/**
 * Returns state that is stored in the browser as a draft of the viewer, so that it survives a reload and a visit to the
 * login page. `clear` deletes the draft and restores `initial`. `discard` only deletes the draft, for a form that
 * continues to show what was sent. State that equals `initial` is not stored.
 * @param form a unique name of the form: `'add-bookmark-manual'`.
 * @param initial the state without a draft. The fields of a draft override it.
 * @param storage by default the draft belongs to this tab. In `localStorage` all tabs show and edit the same draft
 */
export function useDraft<T extends object>(
  form: string,
  initial: T,
  storage: DraftStorage = 'sessionStorage',
): Draft<T> {
  const { username } = useSession()
  // The draft belongs to the user who opened the form, even if another user signs in in this tab. Visitors' drafts are
  // not stored.
  const [name] = useState(() => (username === null ? null : draftName(username, form)))
  const [value, setValue] = useState<T>(() => ({
    ...initial,
    ...(name !== null && readDraft(name, storage)),
  }))
  const isEdited = useRef(false)
  useEffect(() => {
    // Nothing is stored for a user who has signed out meanwhile.
    const isOwner = name?.startsWith(`${getSession().username?.toLowerCase()}:`) === true
    if (!isEdited.current || !isOwner) return
    // A stored copy of a text on the server would hide later changes of that text.
    const isInitial = JSON.stringify(value) === JSON.stringify(initial)
    writeDraft(name, isInitial ? null : value, storage)
  }, [name, value, storage, initial])
  useEffect(() => {
    if (storage !== 'localStorage' || name === null) return
    // Otherwise the next change in this tab would overwrite what another tab has stored.
    const adopt = ({ key }: StorageEvent) => {
      if (key !== draftPrefix + name) return
      isEdited.current = false
      setValue({ ...initial, ...readDraft(name, storage) })
    }
    window.addEventListener('storage', adopt)
    return () => window.removeEventListener('storage', adopt)
  }, [name, storage, initial])
  const update = useCallback((updater: (before: T) => T) => {
    isEdited.current = true
    setValue(updater)
  }, [])
  const discard = useCallback(() => {
    isEdited.current = false
    if (name !== null) writeDraft(name, null, storage)
  }, [name, storage])
  const clear = useCallback(() => {
    discard()
    setValue(initial)
  }, [discard, initial])
  return [value, update, clear, discard]
}
