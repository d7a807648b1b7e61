import type { Profile } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { OrientationOptions } from '../../../shared/orientation/orientation-options.tsx'
import { Button } from '../../../ui/button.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { useOwnCollections } from '../../bookmarks/public-api.ts'
import { AvatarField } from './avatar-field.tsx'
import type { AvatarChange, ProfileForm } from './use-edit-profile.ts'

interface ProfileFieldsProps {
  profile: Profile
  avatar: AvatarChange
  onAvatarChange: (avatar: AvatarChange) => void
  form: ProfileForm
}

/** The fields of the viewer's profile: picture, bio, and what new bookmarks start with. */
export function ProfileFields({ profile, avatar, onAvatarChange, form }: ProfileFieldsProps) {
  const { draft, change, fieldErrors: errors } = form
  return (
    <>
      <AvatarField
        current={profile.avatar_url}
        avatar={avatar}
        onAvatarChange={onAvatarChange}
        error={errors.avatar}
      />
      <Field label="Bio" hint={<CharacterCount text={draft.bio} max={limits.bioMax} />} error={errors.bio}>
        <Textarea
          name="bio"
          rows={3}
          value={draft.bio}
          placeholder="Tell people what you save"
          onChange={(event) => change({ bio: event.target.value })}
        />
      </Field>
      <div className="grid gap-6 sm:grid-cols-2">
        <Field label="Default bookmark orientation" error={errors.default_bookmark_orientation}>
          <Select
            name="default_bookmark_orientation"
            value={draft.orientation}
            onChange={(event) => change({ orientation: event.target.value })}
          >
            <OrientationOptions />
          </Select>
        </Field>
        <CollectionField
          value={draft.collection}
          onChange={(collection) => change({ collection })}
          error={errors.default_bookmark_collection}
        />
      </div>
    </>
  )
}

function CollectionField({
  value,
  onChange,
  error,
}: {
  value: string
  onChange: (value: string) => void
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
          value={value}
          onChange={(event) => onChange(event.target.value)}
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
