import { type Profile, updateProfile } from '@reelmark/contract/profiles.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../../shared/api/api.ts'
import { getSession, storeUser } from '../../../shared/session/session-store.ts'
import { toast } from '../../../ui/toast.tsx'
import { notificationFlags } from './notification-flags.ts'
import { profileQuery } from './queries.ts'

/** What becomes of the picture: it stays, it goes, or another one comes. */
export type AvatarChange = 'same' | 'none' | Blob

const fields = ['avatar', 'bio', 'default_bookmark_orientation', 'default_bookmark_collection'] as const
type FieldName = (typeof fields)[number]

interface ProfileErrors {
  fields: Partial<Record<FieldName, readonly string[]>>
  /** What is about no field. */
  text: string | null
}

const noErrors: ProfileErrors = { fields: {}, text: null }

/** Sends the form; what was typed stays in it where that fails, with the problems at their fields. */
export function useEditProfile({ username }: Profile, onDone: () => void) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState(noErrors)
  const notice = useRef<HTMLDivElement>(null)

  function show(form: HTMLFormElement, fieldErrors: ProfileErrors): void {
    // Shown before the focus goes there.
    flushSync(() => {
      setBusy(false)
      setProblems(fieldErrors)
    })
    const first = fields.find((name) => fieldErrors.fields[name] !== undefined)
    const field = first === undefined ? null : form.elements.namedItem(first)
    if (field instanceof HTMLElement) field.focus()
    else notice.current?.focus()
  }

  async function send(form: HTMLFormElement, face: AvatarChange): Promise<void> {
    const body = profileFormData(form, face)
    const early = clientErrors(body)
    if (Object.keys(early).length > 0) return show(form, { fields: early, text: null })
    setBusy(true)
    setProblems(noErrors)
    try {
      const saved = await api(updateProfile, { params: { username }, body })
      client.setQueryData(profileQuery(username).queryKey, (old) => ({ ...old, ...saved }))
      storeUser({ ...getSession().user?.profile, ...saved })
      toast('Profile updated.', { tone: 'success' })
      onDone()
    } catch (error) {
      show(form, profileErrorsFromServer(error))
    }
  }

  return {
    busy,
    problems,
    notice,
    submit: (event: FormEvent<HTMLFormElement>, face: AvatarChange) => {
      event.preventDefault()
      void send(event.currentTarget, face)
    },
  }
}

/** The body as multipart, with flags as text (docs/behaviour.md, Forms and messages). */
function profileFormData(form: HTMLFormElement, face: AvatarChange): FormData {
  const body = new FormData(form)
  const isChecked = (name: string) => (form.elements.namedItem(name) as HTMLInputElement).checked
  for (const { flag } of notificationFlags) body.set(flag, String(isChecked(flag)))
  // The field only shows what was chosen; what is sent may be smaller.
  body.delete('avatar')
  if (face === 'none') body.set('avatar', '')
  else if (face !== 'same') body.set('avatar', face, 'avatar')
  return body
}

/** What can be said without the server. */
function clientErrors(body: FormData): ProfileErrors['fields'] {
  const fieldErrors: ProfileErrors['fields'] = {}
  const avatar = body.get('avatar')
  if (avatar instanceof Blob && avatar.size > limits.avatarMax) {
    fieldErrors.avatar = [`The file is larger than ${limits.avatarMax / 1024 / 1024} MB.`]
  }
  if ([...String(body.get('bio')).trim()].length > limits.bioMax) {
    fieldErrors.bio = [`Must be ${limits.bioMax} characters or fewer.`]
  }
  return fieldErrors
}

/** Texts: docs/behaviour.md, Forms and messages. */
function profileErrorsFromServer(error: unknown): ProfileErrors {
  const body = (isCallError(error) ? error.body : null) as Record<string, unknown> | null
  const fieldErrors: ProfileErrors['fields'] = {}
  for (const name of fields) {
    const texts = errorTexts(body?.[name])
    if (texts.length > 0) fieldErrors[name] = texts
  }
  const detail = errorTexts(body?.detail)[0] ?? null
  const isSaid = Object.keys(fieldErrors).length > 0
  return { fields: fieldErrors, text: detail ?? (isSaid ? null : 'Failed to update profile.') }
}
