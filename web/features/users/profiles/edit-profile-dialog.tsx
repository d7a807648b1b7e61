import type { Profile } from '@reelmark/contract/profiles.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogFormFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { notificationFlags } from './notification-flags.ts'
import { ProfileFields } from './profile-fields.tsx'
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
    <Dialog open={open} onClose={onClose} title="Edit Profile" canDiscard>
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
  const form = useEditProfile(profile, { avatar, flags: notificationFlags, onDone: onClose })
  return (
    <form {...form.props} className="flex flex-col gap-6 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <ProfileFields profile={profile} avatar={avatar} onAvatarChange={setAvatar} form={form} />
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
      <DialogFormFooter
        submit="Save"
        busy={form.busy}
        busyText="Saving..."
        onCancel={() => {
          form.discard()
          onClose()
        }}
      />
    </form>
  )
}
