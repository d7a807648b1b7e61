import { useState } from 'react'
import { useAdultConsent, withdrawAdultConsent } from './adult-consent.ts'

/** Withdraws the age confirmation from any page, since visitors have no Settings. Renders nothing without one. */
export function WithdrawConsentButton({ className }: { className: string }) {
  const consent = useAdultConsent()
  const [isWithdrawn, setWithdrawn] = useState(false)
  return (
    <>
      {consent && (
        <button
          type="button"
          className={className}
          onClick={() => {
            setWithdrawn(true)
            withdrawAdultConsent()
          }}
        >
          Hide adult content
        </button>
      )}
      <p role="status" className="text-14 text-quiet empty:hidden">
        {isWithdrawn && !consent ? 'Adult content hidden.' : ''}
      </p>
    </>
  )
}
