import { type Profile, type SettingFlag, updateProfile } from '@reelmark/contract/profiles.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { errorBody } from '../../../shared/errors/api-error.ts'
import { findLengthErrors } from '../../../shared/forms/find-length-error.ts'
import type { FormErrors } from '../../../shared/forms/form-errors.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useDraft } from '../../../shared/forms/use-draft.ts'
import { getSession, storeUser } from '../../../shared/session/session-store.ts'
import { toast } from '../../../ui/toast.tsx'
import { profileQuery } from './queries.ts'

/** The change of the avatar: none, removed, or replaced. */
export type AvatarChange = 'same' | 'none' | Blob

const fields = ['avatar', 'bio', 'default_bookmark_orientation', 'default_bookmark_collection'] as const

interface EditProfileOptions {
  avatar: AvatarChange
  /** The settings whose checkboxes the form contains. */
  flags: readonly { flag: SettingFlag }[]
  /** Runs once the profile is saved. */
  onDone: () => void
}

export type ProfileForm = ReturnType<typeof useEditProfile>

/** What the form contains besides avatar and checkboxes. */
interface ProfileDraft {
  bio: string
  orientation: string
  /** The id of a collection; '' for none. */
  collection: string
}

/**
 * Connects a form that edits the viewer's profile. Its texts and choices are stored as a draft until they are saved or
 * `discard` is called. A refetch does not change the fields.
 */
export function useEditProfile(profile: Profile, { avatar, flags, onDone }: EditProfileOptions) {
  const client = useQueryClient()
  const { username } = profile
  const saved: ProfileDraft = {
    bio: profile.bio,
    orientation: profile.default_bookmark_orientation ?? '',
    collection: String(profile.default_bookmark_collection ?? ''),
  }
  const [draft, update, clear, deleteDraft] = useDraft('profile', saved)
  const form = useApiForm((body: FormData) => api(updateProfile, { params: { username }, body }), {
    fields,
    validate: ({ bio }) => clientErrors(bio, avatar),
    toInput: (_, data) => profileFormData(data, avatar, flags),
    onSuccess(updatedProfile) {
      client.setQueryData(profileQuery(username).queryKey, (profile) => ({ ...profile, ...updatedProfile }))
      storeUser({ ...getSession().user?.profile, ...updatedProfile })
      deleteDraft()
      toast('Profile updated.', { tone: 'success' })
      onDone()
    },
    // The specification prescribes this text (docs/behaviour.md, Forms and messages).
    errorText: (error) => errorTexts(errorBody(error).detail)[0] ?? 'Failed to update profile.',
  })
  return {
    ...form,
    draft,
    isChanged: JSON.stringify({ ...draft, bio: draft.bio.trim() }) !== JSON.stringify(saved),
    change: (changes: Partial<ProfileDraft>) => update((before) => ({ ...before, ...changes })),
    discard() {
      clear()
      form.reset()
    },
  }
}

/** Returns the form as the server expects it: multipart, with booleans as text (docs/behaviour.md, API). */
function profileFormData(form: FormData, avatar: AvatarChange, flags: EditProfileOptions['flags']): FormData {
  const body = new FormData()
  for (const [name, value] of form) body.set(name, value)
  // Forms omit checkboxes that are off.
  for (const { flag } of flags) body.set(flag, String(form.has(flag)))
  // The file input only shows the chosen picture. The one sent was cropped and may be smaller.
  body.delete('avatar')
  if (avatar === 'none') body.set('avatar', '')
  else if (avatar !== 'same') body.set('avatar', avatar, 'avatar')
  return body
}

/** Returns the errors that the browser can find. */
function clientErrors(bio: string, avatar: AvatarChange): FormErrors<(typeof fields)[number]>['fields'] {
  return {
    ...(avatar instanceof Blob &&
      avatar.size > limits.avatarMax && {
        avatar: `The file is larger than ${limits.avatarMax / 1024 / 1024} MB.`,
      }),
    ...findLengthErrors({ bio }, { bio: limits.bioMax }),
  }
}
