import { useState } from 'react'
import { giveAdultConsent, useAdultConsent, withdrawAdultConsent } from './adult-consent.ts'

/**
 * A button to withdraw the age confirmation, on every page, because visitors have no Settings. Where the notices above
 * thumbnails were dismissed, it confirms the age instead. Otherwise it renders nothing.
 */
export function AdultContentButton({ className }: { className: string }) {
  const consent = useAdultConsent()
  const [isChanged, setChanged] = useState(false)
  return (
    <>
      <button
        type="button"
        className={`${className} ${consent ? '' : 'adult-dismissed'}`}
        onClick={() => {
          setChanged(true)
          if (consent) withdrawAdultConsent()
          else giveAdultConsent()
        }}
      >
        {consent ? 'Hide adult content' : "I'm 18+. Show adult content"}
      </button>
      <p role="status" className="text-14 text-quiet empty:hidden">
        {isChanged ? `Adult content ${consent ? 'visible' : 'hidden'}.` : ''}
      </p>
    </>
  )
}
