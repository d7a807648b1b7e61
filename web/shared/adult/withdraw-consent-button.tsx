import { useState } from 'react'
import { useAdultConsent, withdrawAdultConsent } from './adult-consent.ts'

/** Takes the confirmation back from any page: visitors have no Settings. Nothing where nobody gave one. */
export function WithdrawConsentButton({ className }: { className: string }) {
  const consent = useAdultConsent()
  const [taken, setTaken] = useState(false)
  return (
    <>
      {consent && (
        <button
          type="button"
          className={className}
          onClick={() => {
            setTaken(true)
            withdrawAdultConsent()
          }}
        >
          Hide adult content
        </button>
      )}
      <p role="status" className="text-14 text-quiet empty:hidden">
        {taken && !consent ? 'Adult content hidden.' : ''}
      </p>
    </>
  )
}
