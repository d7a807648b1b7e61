import { useDeferredComponent } from '../../shared/hooks/use-deferred-component.ts'
import { useSession } from '../../shared/session/session.ts'
import { loadSecondFactorBanner } from '../moderation/public-api.ts'

/** Shows the second-factor reminder to moderators; other users do not load it. */
export function ModeratorReminder() {
  const Banner = useDeferredComponent(useSession().isModerator, loadSecondFactorBanner)
  return Banner !== null && <Banner />
}
