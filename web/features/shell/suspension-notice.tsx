import { useLate } from '../../late.ts'
import { useSuspension } from '../../session.ts'

const load = () => import('../reports/suspension-banner.tsx').then((module) => module.SuspensionBanner)

/** Loaded for the suspended alone. */
export function SuspensionNotice() {
  const Banner = useLate(useSuspension() !== null, load)
  return Banner !== null && <Banner />
}
