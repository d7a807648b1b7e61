import { useDeferredComponent } from '../../shared/hooks/use-deferred-component.ts'
import { useSuspendedUntil } from '../../shared/session/session.ts'
import { loadSuspensionBanner } from '../moderation/public-api.ts'

/** Loaded for the suspended alone. */
export function SuspensionNotice() {
  const Banner = useDeferredComponent(useSuspendedUntil() !== null, loadSuspensionBanner)
  return Banner !== null && <Banner />
}
