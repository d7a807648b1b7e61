import * as limits from '@reelmark/contract/protocol/limits.ts'
import { renewRecoveryCodes } from '@reelmark/contract/second-factor.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { securityQuery } from '../settings-queries.ts'

/** Few enough to say so. */
const fewCodes = 3

interface RecoveryCodesPanelProps {
  left: number
  onCodes: (codes: readonly string[]) => void
}

/** How many codes are left, and new ones in their place. */
export function RecoveryCodesPanel({ left, onCodes }: RecoveryCodesPanelProps) {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { busy, problem, run } = useSubmit()
  return (
    <SettingsGroup
      title="Recovery codes"
      badge={
        <Badge tone={left <= fewCodes ? 'danger' : 'quiet'}>
          {left} of {limits.recoveryCodesCount} left
        </Badge>
      }
      lead="Log in without your phone or passkey. Each code works once."
      action={
        <Button ref={button} onClick={() => setAsking(true)}>
          Generate new codes
        </Button>
      }
    >
      <Dialog open={asking} onClose={() => setAsking(false)} title="Generate new codes?">
        <div className="flex flex-col gap-5 pt-1">
          <p className="text-14 text-ink">Your current codes will stop working.</p>
          {problem !== null && (
            <Notice tone="danger" urgent>
              <p>{problem}</p>
            </Notice>
          )}
          <div className="flex flex-wrap justify-end gap-2">
            <Button data-autofocus disabled={busy} onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button
              tone="accent"
              busy={busy}
              onClick={async () => {
                const done = await run(() => api(renewRecoveryCodes, {}))
                if (done === null) return
                setAsking(false)
                onCodes(done.reply.recovery_codes)
                void client.invalidateQueries(securityQuery)
              }}
            >
              Make new codes
            </Button>
          </div>
        </div>
      </Dialog>
    </SettingsGroup>
  )
}
