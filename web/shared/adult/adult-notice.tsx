import { isAdult, type Orientation } from '@reelmark/contract/protocol/fields.ts'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { giveAdultConsent, useAdultConsent, withdrawAdultConsent } from './adult-consent.ts'

/**
 * Explains concealed thumbnails below it and lets the visitor confirm their age. Afterwards it stays, with a button to
 * withdraw, so that nothing moves and the focus is kept. Renders nothing if no content is adult, or if the age was
 * already confirmed when the page opened.
 *
 * `orientations`: of the content below; null entries are ignored.
 */
export function AdultNotice({
  orientations,
  className = '',
}: {
  orientations: readonly (Orientation | null)[]
  className?: string
}) {
  const consent = useAdultConsent()
  const [isChangedHere, setChangedHere] = useState(false)
  const hasAdult = orientations.some((entry) => entry !== null && isAdult(entry))
  if (!hasAdult || (consent && !isChangedHere)) return null
  const Icon = consent ? Eye : EyeOff
  return (
    <div
      className={`${className} ${consent ? '' : 'adult-question'} grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 rounded-card border border-line bg-sunken p-2 pl-4 text-14 text-quiet max-sm:pt-3 sm:grid-cols-[auto_minmax(0,1fr)_auto]`}
    >
      <Icon className="size-5 shrink-0" />
      <p aria-live="polite">Adult thumbnails are {consent ? 'visible' : 'hidden'}.</p>
      <Button
        size="sm"
        className="max-sm:col-span-2 max-sm:-ml-2"
        onClick={() => {
          setChangedHere(true)
          if (consent) withdrawAdultConsent()
          else giveAdultConsent()
        }}
      >
        {consent ? 'Hide adult thumbnails' : "I'm 18+. Show them"}
      </Button>
    </div>
  )
}
