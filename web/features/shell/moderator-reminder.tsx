import { type ComponentType, useEffect, useState } from 'react'
import { useSession } from '../../session.ts'

/** Loaded for moderators alone: nobody else waits for what they are asked. */
export function ModeratorReminder() {
  const { isModerator } = useSession()
  const [Banner, setBanner] = useState<ComponentType | null>(null)
  // No `lazy`: a boundary that waits beside a page that is still being hydrated has React start that page afresh.
  useEffect(() => {
    if (!isModerator) return
    void import('../moderation/second-factor-reminder.tsx').then(
      (module) => setBanner(() => module.SecondFactorBanner),
      // Offline: it asks when the page comes next.
      () => undefined,
    )
  }, [isModerator])
  return isModerator && Banner !== null ? <Banner /> : null
}
