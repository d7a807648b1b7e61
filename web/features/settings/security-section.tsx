import type { AccountSecurity } from '@reelmark/contract/account-settings.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../session.ts'
import { Notice } from '../../ui/notice.tsx'
import { AuthenticatorGroup } from './authenticator-group.tsx'
import { IdentitiesGroup } from './identities-group.tsx'
import { PasskeysGroup } from './passkeys-group.tsx'
import { securityQuery } from './queries.ts'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { RecoveryGroup } from './recovery-group.tsx'
import { Group, LoadFailed, RowsSkeleton, Section } from './section.tsx'
import { SessionsGroup } from './sessions-group.tsx'

export function SecuritySection() {
  const security = useQuery(securityQuery)
  // Whatever made them, they are shown here, once.
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <Section title="Security" lead="Manage how you log in and where you're logged in.">
      {security.data !== undefined && <ModeratorsRequest security={security.data} />}
      {security.isPending ? (
        <Group title="Authenticator app">
          <RowsSkeleton rows={1} label="Loading" />
        </Group>
      ) : security.isError ? (
        <Group title="Two-step verification">
          <LoadFailed what="your login settings" onRetry={() => void security.refetch()} />
        </Group>
      ) : (
        <AuthenticatorGroup security={security.data} onCodes={setCodes} />
      )}
      <PasskeysGroup onCodes={setCodes} />
      {security.data !== undefined && hasSecondFactor(security.data) && (
        <RecoveryGroup left={security.data.recovery_codes_left} onCodes={setCodes} />
      )}
      <IdentitiesGroup />
      <SessionsGroup />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </Section>
  )
}

function hasSecondFactor({ has_authenticator, passkeys_count }: AccountSecurity): boolean {
  return has_authenticator || passkeys_count > 0
}

/** Who can hide and ban must not be one guessed password away from everybody. */
function ModeratorsRequest({ security }: { security: AccountSecurity }) {
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
