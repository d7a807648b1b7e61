import { useSession } from '../../shared/session/session.ts'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { loadSecondFactorBanner } from '../moderation/public-api.ts'

/** Shows the second-factor reminder to moderators; other users do not load it. */
export function ModeratorReminder() {
  const Banner = useDeferredComponent(useSession().isModerator, loadSecondFactorBanner)
  return Banner !== null && <Banner />
}
