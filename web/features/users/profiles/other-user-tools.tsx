import type { Profile } from '@reelmark/contract/profiles.ts'
import { FeedLink } from '../../../shared/feeds/feed-link.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { useDeferredComponent } from '../../../ui/use-deferred-component.ts'
import { loadUserMenu } from '../lazy-components.ts'

/** The feed of another user if there is one, and for signed-in viewers the menu to report, mute and block them. */
export function OtherUserTools({ profile }: { profile: Profile }) {
  const { status } = useSession()
  const { user_id: id, username, mute_id, is_blocked, has_feed } = profile
  const UserMenu = useDeferredComponent(status === 'signed-in', loadUserMenu)
  return (
    <>
      {has_feed && <FeedLink page={`/users/${username}`} />}
      {UserMenu !== null && (
        <UserMenu user={{ id, username }} muteId={mute_id} isBlocked={is_blocked} tone="plain" />
      )}
    </>
  )
}
