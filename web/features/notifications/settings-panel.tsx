import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SettingsGroup, SettingsLoadFailed, SettingsPanel } from '../../shared/pages/settings-panel.tsx'
import { useSession } from '../../shared/session/session.ts'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { profileQuery } from '../users/public-api.ts'
import { KindSwitches, kindTexts } from './kind-switches.tsx'
import { useNotificationChoices } from './use-notification-choices.ts'

const mailFrequencyLabels = [
  { value: 'off', label: 'Off', hint: 'No notification emails.' },
  { value: 'daily', label: 'Daily', hint: 'Up to one email a day.' },
  { value: 'weekly', label: 'Weekly', hint: 'Up to one email a week.' },
] as const

/** Chooses which notifications the viewer gets, and whether by mail. Each choice is saved immediately. */
export function NotificationsSettingsPanel() {
  const username = useSession().username ?? ''
  const profile = useQuery(profileQuery(username))
  const { isOn, mailFrequency, errorFor, change } = useNotificationChoices(username, profile.data)
  const mailProblem = errorFor('notify_by_email')
  return (
    <SettingsPanel
      title="Notifications"
      lead={
        <>
          Choose what appears in{' '}
          <Link to="/notifications" className="text-accent-ink underline underline-offset-2">
            your notifications
          </Link>
          , and what digest emails count. Changes save automatically. You're always notified of moderators'
          decisions.
        </>
      }
    >
      {profile.isPending ? (
        <div role="status" aria-label="Loading" className="divide-y divide-line border-y border-line">
          {Object.keys(kindTexts).map((kind) => (
            <div key={kind} className="flex items-center justify-between py-5">
              <SkeletonLine className="w-64" />
              <SkeletonLine className="h-6 w-11" />
            </div>
          ))}
        </div>
      ) : profile.isError ? (
        <SettingsLoadFailed subject="your notification settings" onRetry={() => void profile.refetch()} />
      ) : (
        <>
          <KindSwitches isOn={isOn} errorFor={errorFor} onChange={change} />
          <SettingsGroup
            title="Email digest"
            lead="Get a summary of unread notifications, only when there's something new. Sent only to a confirmed email address. You can unsubscribe at any time. We always send security emails."
          >
            <ChoiceCards
              label="Email digest"
              name="notify_by_email"
              choices={mailFrequencyLabels}
              value={mailFrequency}
              onChange={(value) => change('notify_by_email', value)}
              className="sm:grid-cols-3"
            />
            {mailProblem !== null && (
              <p role="alert" className="text-13 text-danger">
                {mailProblem}
              </p>
            )}
          </SettingsGroup>
        </>
      )}
    </SettingsPanel>
  )
}
