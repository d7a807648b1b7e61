import { useSuspendedUntil } from '../../shared/session/session.ts'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { loadSuspensionBanner } from '../moderation/public-api.ts'

/** Shows the suspension banner to suspended users; others do not load it. */
export function SuspensionNotice() {
  const Banner = useDeferredComponent(useSuspendedUntil() !== null, loadSuspensionBanner)
  return Banner !== null && <Banner />
}
