import { limits } from '@reelmark/contract/limits.ts'
import { renewRecoveryCodes } from '@reelmark/contract/second-factor.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { securityQuery } from './queries.ts'
import { Group } from './section.tsx'
import { useAction } from './use-action.ts'

/** Few enough to say so. */
const few = 3

interface RecoveryGroupProps {
  left: number
  onCodes: (codes: readonly string[]) => void
}

/** How many codes are left, and new ones in their place. */
export function RecoveryGroup({ left, onCodes }: RecoveryGroupProps) {
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { busy, problem, run } = useAction()
  return (
    <Group
      title="Recovery codes"
      badge={
        <Badge tone={left <= few ? 'danger' : 'quiet'}>
          {left} of {limits.recoveryCodes} left
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
    </Group>
  )
}
