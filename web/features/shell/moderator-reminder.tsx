import { useDeferredComponent } from '../../shared/hooks/use-deferred-component.ts'
import { useSession } from '../../shared/session/session.ts'
import { loadSecondFactorBanner } from '../moderation/public-api.ts'

/** Loaded for moderators alone: nobody else waits for what they are asked. */
export function ModeratorReminder() {
  const Banner = useDeferredComponent(useSession().isModerator, loadSecondFactorBanner)
  return Banner !== null && <Banner />
}
