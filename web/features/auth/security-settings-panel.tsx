import type { AccountSecurity } from '@reelmark/contract/account-settings.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  SettingsGroup,
  SettingsLoadFailed,
  SettingsPanel,
  SettingsRowsSkeleton,
} from '../../shared/pages/settings-panel.tsx'
import { useSession } from '../../shared/session/session.ts'
import { Notice } from '../../ui/notice.tsx'
import { IdentitiesSettingsPanel } from './identities/settings-panel.tsx'
import { PasskeysSettingsPanel } from './passkeys/settings-panel.tsx'
import { RecoveryCodesDialog } from './second-factor/recovery-codes-dialog.tsx'
import { RecoveryCodesPanel } from './second-factor/recovery-codes-panel.tsx'
import { AuthenticatorSettingsPanel } from './second-factor/settings-panel.tsx'
import { SessionsSettingsPanel } from './sessions/settings-panel.tsx'
import { securityQuery } from './settings-queries.ts'
import { SignInReviewPanel } from './sign-in-review/sign-in-review-panel.tsx'

export function SecuritySettingsPanel() {
  const security = useQuery(securityQuery)
  // New recovery codes are shown here once, whichever panel created them.
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <SettingsPanel title="Security" lead="Manage how you log in and where you're logged in.">
      {security.data !== undefined && <ModeratorSecondFactorNotice security={security.data} />}
      {security.data?.review_required && <SignInReviewPanel />}
      {security.isPending ? (
        <SettingsGroup title="Authenticator app">
          <SettingsRowsSkeleton rows={1} label="Loading" />
        </SettingsGroup>
      ) : security.isError ? (
        <SettingsGroup title="Two-step verification">
          <SettingsLoadFailed subject="your login settings" onRetry={() => void security.refetch()} />
        </SettingsGroup>
      ) : (
        <AuthenticatorSettingsPanel security={security.data} onCodes={setCodes} />
      )}
      <PasskeysSettingsPanel onCodes={setCodes} />
      {security.data !== undefined && hasSecondFactor(security.data) && (
        <RecoveryCodesPanel codesLeft={security.data.recovery_codes_left} onCodes={setCodes} />
      )}
      <IdentitiesSettingsPanel />
      <SessionsSettingsPanel />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </SettingsPanel>
  )
}

function hasSecondFactor({ has_authenticator, passkeys_count }: AccountSecurity): boolean {
  return has_authenticator || passkeys_count > 0
}

/** Asks moderators to set up a second factor, because their accounts can hide videos and ban users. */
function ModeratorSecondFactorNotice({ security }: { security: AccountSecurity }) {
  const { isModerator } = useSession()
  if (!isModerator || hasSecondFactor(security)) return null
  return (
    <Notice tone="danger" title="Turn on two-step verification" className="mb-8">
      <p className="text-quiet">
        Moderator accounts can hide videos and ban users. Protect yours with an authenticator app or passkey.
      </p>
    </Notice>
  )
}
