import { lazy, Suspense } from 'react'
import { useSession } from '../../session.ts'

const SecondFactorBanner = lazy(() =>
  import('../moderation/second-factor-reminder.tsx').then((module) => ({
    default: module.SecondFactorBanner,
  })),
)

/** Loaded for moderators alone: nobody else waits for what they are asked. */
export function ModeratorReminder() {
  const { isModerator } = useSession()
  if (!isModerator) return null
  return (
    <Suspense>
      <SecondFactorBanner />
    </Suspense>
  )
}
