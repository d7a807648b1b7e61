import type { AccountSecurity } from '@reelmark/contract/account-settings.ts'
import { beginAuthenticator, deleteAuthenticator } from '@reelmark/contract/second-factor.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
import { useFocusAfter } from '../../../shared/hooks/use-focus-after.ts'
import { SettingsGroup } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { invalidateSignInSettings } from '../settings-queries.ts'
import { AuthenticatorSetup } from './authenticator-setup.tsx'

interface AuthenticatorSettingsPanelProps {
  security: AccountSecurity
  onCodes: (codes: readonly string[]) => void
}

/** Sets up or removes an app that shows a new login code every 30 seconds. */
export function AuthenticatorSettingsPanel({ security, onCodes }: AuthenticatorSettingsPanelProps) {
  const client = useQueryClient()
  const [setup, setSetup] = useState<{ secret: string; url: string } | null>(null)
  const begin = useApiMutation(beginAuthenticator, { onSuccess: setSetup })
  const [removing, setRemoving] = useState(false)
  const [button, focusButton] = useFocusAfter<HTMLButtonElement>()
  const isOnlySecondFactor = security.passkeys_count === 0
  return (
    <SettingsGroup
      title="Authenticator app"
      badge={security.has_authenticator ? <Badge tone="success">On</Badge> : <Badge>Off</Badge>}
      lead="Enter a code from an app like 1Password, Aegis or Google Authenticator when you log in."
      action={
        security.has_authenticator ? (
          <Button ref={button} onClick={() => setRemoving(true)}>
            Remove
          </Button>
        ) : (
          <Button
            ref={button}
            // Emphasised while the password is the only factor.
            tone={isOnlySecondFactor ? 'accent' : 'plain'}
            busy={begin.busy}
            busyText="Preparing..."
            onClick={() => void begin.run({})}
          >
            Set up
          </Button>
        )
      }
    >
      <ErrorNotice text={begin.errorText} />
      <Dialog
        open={setup !== null}
        onClose={() => setSetup(null)}
        title="Set up an authenticator app"
        canDiscard
        description="Scan the QR code with your app, then enter the 6-digit code."
      >
        {setup !== null && (
          <AuthenticatorSetup
            {...setup}
            onDone={(codes) => {
              setSetup(null)
              if (codes !== null) onCodes(codes)
              void invalidateSignInSettings(client)
              focusButton()
            }}
            onCancel={() => setSetup(null)}
          />
        )}
      </Dialog>
      <ConfirmRemovalDialog
        open={removing}
        title="Remove the authenticator app?"
        action="Remove"
        call={() => api(deleteAuthenticator, {})}
        onClose={() => setRemoving(false)}
        onDone={() => {
          void invalidateSignInSettings(client)
          focusButton()
        }}
      >
        {isOnlySecondFactor
          ? "You'll log in with only your password, and your recovery codes will stop working."
          : 'Your passkeys and recovery codes will keep working.'}
      </ConfirmRemovalDialog>
    </SettingsGroup>
  )
}
