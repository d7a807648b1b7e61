import { isAdult, type Orientation } from '@reelmark/contract/protocol/fields.ts'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import {
  dismissAdultNotice,
  giveAdultConsent,
  useAdultConsent,
  withdrawAdultConsent,
} from './adult-consent.ts'

/**
 * Explains concealed thumbnails below it and lets the visitor confirm their age. Afterwards it stays, with a button to
 * withdraw, so that nothing moves and the focus is kept. Renders nothing if no content is adult, or if the age was
 * already confirmed when the page opened. Dismissed, it is hidden on every page of this device.
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
      className={`${className} ${consent ? '' : 'adult-question'} flex items-center gap-2 rounded-card border border-line bg-sunken pl-3 text-13 text-quiet max-[359px]:pl-2 max-sm:gap-0 sm:p-1 sm:pl-4 sm:text-14`}
    >
      <Icon className="size-5 shrink-0 max-sm:mr-2 max-sm:size-4 max-[359px]:hidden" />
      <p aria-live="polite" className="min-w-0 flex-1">
        Adult thumbnails are {consent ? 'visible' : 'hidden'}.
      </p>
      <Button
        size="sm"
        tone="quiet"
        className="max-sm:h-11! max-sm:px-2 max-sm:text-accent-ink max-[359px]:px-1"
        onClick={() => {
          setChangedHere(true)
          if (consent) withdrawAdultConsent()
          else giveAdultConsent()
        }}
      >
        {consent ? 'Hide adult thumbnails' : "I'm 18+. Show them"}
      </Button>
      {!consent && (
        <IconButton
          label="Dismiss"
          size="sm"
          className="max-sm:size-11! max-sm:-ml-2"
          onClick={({ currentTarget }) => {
            dismissAdultNotice()
            // The button is now hidden with the notice. The list follows, with links or inputs.
            currentTarget.parentElement?.nextElementSibling?.querySelector<HTMLElement>('a,input')?.focus()
          }}
        >
          <X className="size-4" />
        </IconButton>
      )}
    </div>
  )
}
