import * as limits from '@reelmark/contract/protocol/limits.ts'
import { renewRecoveryCodes } from '@reelmark/contract/second-factor.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { securityQuery } from '../settings-queries.ts'

/** From this number of codes downwards the badge warns. */
const warningThreshold = 3

interface RecoveryCodesPanelProps {
  codesLeft: number
  onCodes: (codes: readonly string[]) => void
}

/** Shows how many recovery codes are left and generates new ones. */
export function RecoveryCodesPanel({ codesLeft, onCodes }: RecoveryCodesPanelProps) {
  const client = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const renewal = useApiMutation(renewRecoveryCodes, {
    onSuccess({ recovery_codes }) {
      setConfirming(false)
      onCodes(recovery_codes)
      void client.invalidateQueries(securityQuery)
    },
  })
  return (
    <SettingsGroup
      title="Recovery codes"
      badge={
        <Badge tone={codesLeft <= warningThreshold ? 'danger' : 'quiet'}>
          {codesLeft} of {limits.recoveryCodesCount} left
        </Badge>
      }
      lead="Log in without your phone or passkey. Each code works once."
      action={
        <Button ref={button} onClick={() => setConfirming(true)}>
          Generate new codes
        </Button>
      }
    >
      <Dialog open={isConfirming} onClose={() => setConfirming(false)} title="Generate new codes?">
        <div className="flex flex-col gap-5 pt-1">
          <p className="text-14 text-ink">Your current codes will stop working.</p>
          <ErrorNotice text={renewal.errorText} />
          <DialogFooter>
            <Button data-autofocus disabled={renewal.busy} onClick={() => setConfirming(false)}>
              Cancel
            </Button>
            <Button tone="accent" busy={renewal.busy} onClick={() => void renewal.run({})}>
              Generate new codes
            </Button>
          </DialogFooter>
        </div>
      </Dialog>
    </SettingsGroup>
  )
}
