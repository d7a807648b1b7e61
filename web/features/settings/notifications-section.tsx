import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../session.ts'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { profileQuery } from '../profiles/queries.ts'
import { LoadFailed, Section } from './section.tsx'
import { type NotifyFlag, useNotifyFlags } from './use-notify-flags.ts'

const flags: readonly { flag: NotifyFlag; label: string; hint: string }[] = [
  { flag: 'notify_on_follow', label: 'Somebody follows you', hint: 'With a way to follow them back.' },
  {
    flag: 'notify_on_own_video_bookmarked',
    label: 'Somebody saves a video that you shared',
    hint: 'Your taste travels.',
  },
  {
    flag: 'notify_on_own_video_liked',
    label: 'Somebody likes a video that you shared',
    hint: 'One notice for many likes of the same video.',
  },
  {
    flag: 'notify_on_new_bookmark_from_followed_user',
    label: 'Somebody you follow shares a video',
    hint: 'Public bookmarks only.',
  },
]

/** What one is told of; each choice counts at once. */
export function NotificationsSection() {
  const username = useSession().username ?? ''
  const profile = useQuery(profileQuery(username))
  const { isOn, problemOf, change } = useNotifyFlags(username, profile.data)
  return (
    <Section
      title="Notifications"
      lead="What you are told of on this site. Mails come only for your account's safety, and always."
    >
      {profile.isPending ? (
        <div role="status" aria-label="Loading" className="divide-y divide-line border-y border-line">
          {flags.map(({ flag }) => (
            <div key={flag} className="flex flex-col gap-2 py-4">
              <SkeletonLine className="w-56" />
              <SkeletonLine className="h-3 w-72 max-w-full" />
            </div>
          ))}
        </div>
      ) : profile.isError ? (
        <LoadFailed what="Your choices" onRetry={() => void profile.refetch()} />
      ) : (
        <div className="divide-y divide-line border-y border-line">
          {flags.map(({ flag, label, hint }) => (
            <Switch
              key={flag}
              name={flag}
              label={label}
              hint={hint}
              error={problemOf(flag)}
              checked={isOn(flag)}
              onChange={(event) => change(flag, event.target.checked)}
            />
          ))}
        </div>
      )}
    </Section>
  )
}
