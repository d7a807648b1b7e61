import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../session.ts'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { notifyFlags } from '../profiles/notify-flags.ts'
import { profileQuery } from '../profiles/queries.ts'
import { LoadFailed, Section } from './section.tsx'
import { useNotifyFlags } from './use-notify-flags.ts'

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
          {notifyFlags.map(({ flag }) => (
            <div key={flag} className="flex items-center justify-between py-5">
              <SkeletonLine className="w-64" />
              <SkeletonLine className="h-6 w-11" />
            </div>
          ))}
        </div>
      ) : profile.isError ? (
        <LoadFailed what="Your choices" onRetry={() => void profile.refetch()} />
      ) : (
        <div className="divide-y divide-line border-y border-line">
          {notifyFlags.map(({ flag, label, hint }) => (
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
