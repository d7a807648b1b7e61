import { isCallError } from '@reelmark/contract/call.ts'
import { errorTexts } from '@reelmark/contract/error-texts.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { type Profile, updateProfile } from '@reelmark/contract/profiles.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../api.ts'
import { getSession, storeUser } from '../../session-store.ts'
import { toast } from '../../ui/toast.tsx'
import { notifyFlags } from './notify-flags.ts'
import { profileQuery } from './queries.ts'

/** What becomes of the picture: it stays, it goes, or another one comes. */
export type Face = 'same' | 'none' | Blob

const fields = ['avatar', 'bio', 'default_bookmark_orientation', 'default_bookmark_collection'] as const
type FieldName = (typeof fields)[number]

interface Problems {
  fields: Partial<Record<FieldName, readonly string[]>>
  /** What is about no field. */
  text: string | null
}

const none: Problems = { fields: {}, text: null }

/** Sends the form; what was typed stays in it where that fails, with the problems at their fields. */
export function useEditProfile({ username }: Profile, onDone: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState(none)
  const notice = useRef<HTMLDivElement>(null)

  function show(form: HTMLFormElement, found: Problems): void {
    // Shown before the focus goes there.
    flushSync(() => {
      setBusy(false)
      setProblems(found)
    })
    const first = fields.find((name) => found.fields[name] !== undefined)
    const field = first === undefined ? null : form.elements.namedItem(first)
    if (field instanceof HTMLElement) field.focus()
    else notice.current?.focus()
  }

  async function send(form: HTMLFormElement, face: Face): Promise<void> {
    const body = bodyOf(form, face)
    const early = check(body)
    if (Object.keys(early).length > 0) return show(form, { fields: early, text: null })
    setBusy(true)
    setProblems(none)
    try {
      const saved = await api(updateProfile, { params: { username }, body })
      client.setQueryData(profileQuery(username).queryKey, (old) => ({ ...old, ...saved }))
      storeUser({ ...getSession().user?.profile, ...saved })
      toast('Profile updated.', { tone: 'success' })
      onDone()
    } catch (error) {
      show(form, problemsOf(error))
    }
  }

  return {
    busy,
    problems,
    notice,
    submit: (event: FormEvent<HTMLFormElement>, face: Face) => {
      event.preventDefault()
      void send(event.currentTarget, face)
    },
  }
}

/** As the specification has it: multipart, with yes and no as text (product.md section 7). */
function bodyOf(form: HTMLFormElement, face: Face): FormData {
  const body = new FormData(form)
  const isChecked = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).checked
  for (const { flag } of notifyFlags) body.set(flag, String(isChecked(flag)))
  // The field only shows what was chosen; what is sent may be smaller.
  body.delete('avatar')
  if (face === 'none') body.set('avatar', '')
  else if (face !== 'same') body.set('avatar', face, 'avatar')
  return body
}

/** What can be said without the server. */
function check(body: FormData): Problems['fields'] {
  const found: Problems['fields'] = {}
  const avatar = body.get('avatar')
  if (avatar instanceof Blob && avatar.size > limits.avatarMax) {
    found.avatar = [`The file is larger than ${limits.avatarMax / 1024 / 1024} MB.`]
  }
  if ([...String(body.get('bio')).trim()].length > limits.bioMax) {
    found.bio = [`Must be ${limits.bioMax} characters or fewer.`]
  }
  return found
}

/** Texts: product.md section 8. */
function problemsOf(error: unknown): Problems {
  const body = (isCallError(error) ? error.body : null) as Record<string, unknown> | null
  const found: Problems['fields'] = {}
  for (const name of fields) {
    const texts = errorTexts(body?.[name])
    if (texts.length > 0) found[name] = texts
  }
  const detail = errorTexts(body?.detail)[0] ?? null
  const isSaid = Object.keys(found).length > 0
  return { fields: found, text: detail ?? (isSaid ? null : 'Failed to update profile.') }
}
