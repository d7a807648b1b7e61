import { isAdult, type Orientation } from '@reelmark/contract/protocol/fields.ts'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { giveAdultConsent, useAdultConsent, withdrawAdultConsent } from './adult-consent.ts'

/**
 * Above pictures of which some are covered: says why, and takes the one confirmation. It stays where it is then, as the way
 * back: nothing below it moves, and the keyboard keeps its place. Nothing where none is adult, or it was said before.
 *
 * `orientations`: of what is shown; null: of nothing in particular.
 */
export function AdultNotice({
  orientations,
  className = '',
}: {
  orientations: readonly (Orientation | null)[]
  className?: string
}) {
  const consent = useAdultConsent()
  const [saidHere, setSaidHere] = useState(false)
  if (!orientations.some((entry) => entry !== null && isAdult(entry)) || (consent && !saidHere)) return null
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
          setSaidHere(true)
          if (consent) withdrawAdultConsent()
          else giveAdultConsent()
        }}
      >
        {consent ? 'Hide adult thumbnails' : "I'm 18+. Show them"}
      </Button>
    </div>
  )
}
