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
      className={`${className} ${consent ? '' : 'adult-question'} flex items-center gap-2 rounded-card border border-line bg-sunken pl-3 text-13 text-quiet sm:gap-4 sm:p-2 sm:pl-4 sm:text-14`}
    >
      <Icon className="size-5 shrink-0 max-sm:size-4" />
      <p aria-live="polite" className="min-w-0 flex-1">
        Adult thumbnails are {consent ? 'visible' : 'hidden'}.
      </p>
      <Button
        size="sm"
        tone="quiet"
        className="max-sm:h-10! max-sm:px-2 max-sm:text-accent-ink"
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
