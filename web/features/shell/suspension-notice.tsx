import { useDeferredComponent } from '../../shared/hooks/use-deferred-component.ts'
import { useSuspendedUntil } from '../../shared/session/session.ts'

const loadBanner = () =>
  import('../moderation/sanctions/suspension-banner.tsx').then((module) => module.SuspensionBanner)

/** Shows the suspension banner to suspended users; others do not load it. */
export function SuspensionNotice() {
  const Banner = useDeferredComponent(useSuspendedUntil() !== null, loadBanner)
  return Banner !== null && <Banner />
}
