import { useState } from 'react'
import { useAdultConsent, withdrawAdultConsent } from './adult-consent.ts'

/**
 * A button to withdraw the age confirmation, on every page, because visitors have no Settings. Renders nothing if age
 * was not confirmed.
 */
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
