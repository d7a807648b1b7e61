import { useDeferredComponent } from '../../shared/hooks/use-deferred-component.ts'
import { useSession } from '../../shared/session/session.ts'

const loadBanner = () =>
  import('../moderation/second-factor-reminder.tsx').then((module) => module.SecondFactorBanner)

/** Shows the second-factor reminder to moderators; other users do not load it. */
export function ModeratorReminder() {
  const Banner = useDeferredComponent(useSession().isModerator, loadBanner)
  return Banner !== null && <Banner />
}
