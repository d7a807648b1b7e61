import { useDeferredComponent } from '../../shared/hooks/use-deferred-component.ts'
import { useSuspendedUntil } from '../../shared/session/session.ts'
import { loadSuspensionBanner } from '../moderation/public-api.ts'

/** Shows the suspension banner to suspended users; others do not load it. */
export function SuspensionNotice() {
  const Banner = useDeferredComponent(useSuspendedUntil() !== null, loadSuspensionBanner)
  return Banner !== null && <Banner />
}
