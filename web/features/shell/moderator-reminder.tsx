import { useDeferredComponent } from '../../shared/hooks/use-deferred-component.ts'
import { useSession } from '../../shared/session/session.ts'

const loadBanner = () =>
  import('../moderation/second-factor-reminder.tsx').then((module) => module.SecondFactorBanner)

/** Loaded for moderators alone: nobody else waits for what they are asked. */
export function ModeratorReminder() {
  const Banner = useDeferredComponent(useSession().isModerator, loadBanner)
  return Banner !== null && <Banner />
}
