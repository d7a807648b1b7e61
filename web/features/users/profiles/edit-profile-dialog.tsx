import type { Profile } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OrientationOptions } from '../../../shared/orientation/orientation-options.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogFormFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Checkbox, Field, Textarea } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { useOwnCollections } from '../../bookmarks/public-api.ts'
import { AvatarField } from './avatar-field.tsx'
import { notificationFlags } from './notification-flags.ts'
import { profileQuery } from './queries.ts'
import { type AvatarChange, useEditProfile } from './use-edit-profile.ts'

interface EditProfileDialogProps {
  open: boolean
  username: string
  onClose: () => void
}

/** Edits the viewer's profile and its settings in one form. */
export function EditProfileDialog({ open, username, onClose }: EditProfileDialogProps) {
  const { data: profile, isError, refetch } = useQuery(profileQuery(username))
  return (
    <Dialog open={open} onClose={onClose} title="Edit Profile">
      {profile?.notify_on_follow !== undefined ? (
        <EditProfileForm profile={profile} onClose={onClose} />
      ) : isError ? (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-3 text-14">
          <p>Error loading profile.</p>
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      ) : (
        // The server renders the public part of a profile; the rest is still loading.
        <p role="status" className="py-8 text-center text-14 text-quiet">
          Loading profile...
        </p>
      )}
    </Dialog>
  )
}

function EditProfileForm({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  // The profile when the form was opened. A refetch must not change the fields.
  const [initialProfile] = useState(profile)
  const [avatar, setAvatar] = useState<AvatarChange>('same')
  const [bio, setBio] = useState(initialProfile.bio)
  const form = useEditProfile(profile, avatar, onClose)
  return (
    <form {...form.props} className="flex flex-col gap-6 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <AvatarField
        current={initialProfile.avatar_url}
        avatar={avatar}
        onAvatarChange={setAvatar}
        error={form.fieldErrors.avatar}
      />
      <Field label="Bio" hint={<CharacterCount text={bio} />} error={form.fieldErrors.bio}>
        <Textarea
          name="bio"
          rows={3}
          value={bio}
          placeholder="Tell people what you save"
          onChange={(event) => setBio(event.target.value)}
        />
      </Field>
      <div className="grid gap-6 sm:grid-cols-2">
        <Field label="Default bookmark orientation" error={form.fieldErrors.default_bookmark_orientation}>
          <Select
            name="default_bookmark_orientation"
            defaultValue={initialProfile.default_bookmark_orientation}
          >
            <OrientationOptions />
          </Select>
        </Field>
        <CollectionField
          selected={initialProfile.default_bookmark_collection ?? null}
          error={form.fieldErrors.default_bookmark_collection}
        />
      </div>
      <fieldset className="flex flex-col">
        <legend className="text-14 font-medium text-ink">Notify me when</legend>
        {notificationFlags.map(({ flag, label, hint }) => (
          <Checkbox
            key={flag}
            name={flag}
            label={label}
            hint={hint}
            defaultChecked={initialProfile[flag] ?? true}
          />
        ))}
      </fieldset>
      <DialogFormFooter submit="Save" busy={form.busy} busyText="Saving..." onCancel={onClose} />
    </form>
  )
}

/** Counts code points, as the server does. */
function CharacterCount({ text }: { text: string }) {
  const length = [...text.trim()].length
  return (
    <span className={`tabular-nums ${length > limits.bioMax ? 'text-danger' : ''}`}>
      {length}/{limits.bioMax}
    </span>
  )
}

function CollectionField({
  selected,
  error,
}: {
  selected: number | null
  error: string | readonly string[] | undefined
}) {
  const { list, loading, failed, retry } = useOwnCollections()
  return (
    <div className="flex flex-col gap-2">
      <Field label="Default bookmark collection" error={failed ? 'Failed to load collections.' : error}>
        {/* Disabled until the collections are loaded. Disabled fields are not sent, so the setting stays unchanged. */}
        <Select
          key={String(loading || failed)}
          name="default_bookmark_collection"
          defaultValue={selected ?? ''}
          disabled={loading || failed}
        >
          <option value="">{loading ? 'Loading...' : 'None'}</option>
          {list.map(({ id, name, access }) => (
            <option key={id} value={id}>
              {access === 'private' ? `${name} (private)` : name}
            </option>
          ))}
        </Select>
      </Field>
      {failed && (
        <Button size="sm" className="self-start" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}
