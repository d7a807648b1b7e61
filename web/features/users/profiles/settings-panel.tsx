import type { Profile } from '@reelmark/contract/profiles.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SettingsGroup, SettingsLoadFailed, SettingsPanel } from '../../../shared/pages/settings-panel.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { ProfileFields } from './profile-fields.tsx'
import { profileQuery } from './queries.ts'
import { type AvatarChange, useEditProfile } from './use-edit-profile.ts'

/** Edits the viewer's profile. */
export function ProfileSettingsPanel() {
  const username = useSession().username ?? ''
  // When the session ends, the panel is shown without a name until the login page opens.
  const {
    data: profile,
    isError,
    refetch,
  } = useQuery({
    ...profileQuery(username),
    enabled: username !== '',
  })
  return (
    <SettingsPanel title="Profile" lead="How others see you, and what new bookmarks start with.">
      {profile?.notify_on_follow !== undefined ? (
        <SettingsGroup
          title={profile.username}
          action={
            <Link to="/users/$username" params={{ username }} className={buttonClass()}>
              View profile
            </Link>
          }
        >
          <ProfileSettingsForm profile={profile} />
        </SettingsGroup>
      ) : isError ? (
        <SettingsLoadFailed subject="your profile" onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label="Loading" className="flex flex-col gap-6 border-t border-line py-8">
          <div aria-hidden="true" className="skeleton size-24 rounded-full!" />
          <SkeletonLine className="h-20 w-full" />
          <SkeletonLine className="h-11 w-full" />
        </div>
      )}
    </SettingsPanel>
  )
}

const noFlags = [] as const

function ProfileSettingsForm({ profile }: { profile: Profile }) {
  const [avatar, setAvatar] = useState<AvatarChange>('same')
  const form = useEditProfile(profile, { avatar, flags: noFlags, onDone: () => setAvatar('same') })
  return (
    <form {...form.props} className="flex flex-col gap-6">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <ProfileFields profile={profile} avatar={avatar} onAvatarChange={setAvatar} form={form} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" tone="accent" busy={form.busy} busyText="Saving...">
          Save
        </Button>
        {form.isChanged && (
          <Button
            disabled={form.busy}
            onClick={({ currentTarget }) => {
              form.discard()
              setAvatar('same')
              // The button disappears.
              currentTarget.form?.querySelector('textarea')?.focus()
            }}
          >
            Discard changes
          </Button>
        )}
      </div>
    </form>
  )
}
