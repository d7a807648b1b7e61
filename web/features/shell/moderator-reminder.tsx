import { useLate } from '../../late.ts'
import { useSession } from '../../session.ts'

const load = () =>
  import('../moderation/second-factor-reminder.tsx').then((module) => module.SecondFactorBanner)

/** Loaded for moderators alone: nobody else waits for what they are asked. */
export function ModeratorReminder() {
  const Banner = useLate(useSession().isModerator, load)
  return Banner !== null && <Banner />
}
