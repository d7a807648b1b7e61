import { useQuery } from '@tanstack/react-query'
import { SettingsGroup, SettingsLoadFailed, SettingsPanel } from '../../../shared/pages/settings-panel.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { EmailSettingsPanel } from '../email-confirmation/settings-panel.tsx'
import { PasswordSettingsPanel, SetPasswordPanel } from '../passwords/settings-panel.tsx'
import { securityQuery } from '../settings-queries.ts'
import { DeleteAccountGroup } from './delete-account-group.tsx'

export function AccountSettingsPanel() {
  const security = useQuery(securityQuery)
  const { username } = useSession()
  return (
    <SettingsPanel title="Account" lead="Manage your username, email and password.">
      <SettingsGroup title="Username" lead="Your username is part of your profile link and can't be changed.">
        <p className="text-16 font-medium text-ink">{username}</p>
      </SettingsGroup>
      {security.isPending ? (
        <>
          <SettingsGroup title="Email">
            <AccountSettingsSkeleton />
          </SettingsGroup>
          <SettingsGroup title="Password">
            <AccountSettingsSkeleton />
          </SettingsGroup>
        </>
      ) : security.isError ? (
        <SettingsGroup title="Email and password">
          <SettingsLoadFailed
            subject="your email and password settings"
            onRetry={() => void security.refetch()}
          />
        </SettingsGroup>
      ) : (
        <>
          <EmailSettingsPanel security={security.data} />
          {security.data.has_password ? (
            <PasswordSettingsPanel />
          ) : (
            <SetPasswordPanel
              email={security.data.email}
              isEmailConfirmed={security.data.is_email_confirmed}
            />
          )}
        </>
      )}
      <DeleteAccountGroup hasPassword={security.data?.has_password ?? true} />
    </SettingsPanel>
  )
}

function AccountSettingsSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-3">
      <SkeletonLine className="w-64 max-w-full" />
      <SkeletonLine className="h-10 w-36" />
    </div>
  )
}
