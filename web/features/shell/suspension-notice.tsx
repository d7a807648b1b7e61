import { useDeferredComponent } from '../../shared/hooks/use-deferred-component.ts'
import { useSuspendedUntil } from '../../shared/session/session.ts'

const loadBanner = () =>
  import('../moderation/sanctions/suspension-banner.tsx').then((module) => module.SuspensionBanner)

/** Loaded for the suspended alone. */
export function SuspensionNotice() {
  const Banner = useDeferredComponent(useSuspendedUntil() !== null, loadBanner)
  return Banner !== null && <Banner />
}
