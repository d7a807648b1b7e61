import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SettingsGroup, SettingsLoadFailed, SettingsPanel } from '../../../shared/pages/settings-panel.tsx'
import { securityPath } from '../../../shared/session/security-path.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SkeletonLine } from '../../../ui/skeleton.tsx'
import { EmailSettingsPanel } from '../email-confirmation/settings-panel.tsx'
import { PasswordSettingsPanel, SetPasswordPanel } from '../passwords/settings-panel.tsx'
import { securityQuery } from '../settings-queries.ts'
import { DeleteAccountGroup } from './delete-account-group.tsx'
import { UsernameGroup } from './username-group.tsx'

export function AccountSettingsPanel() {
  const security = useQuery(securityQuery)
  return (
    <SettingsPanel title="Account" lead="Manage your username, email and password.">
      <UsernameGroup security={security.data} />
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
          {security.data.review_required && <ReviewRequiredNotice />}
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
      <SettingsGroup
        title="Get started"
        lead="Import your videos, save from anywhere and find people to follow."
        action={
          <Link to="/welcome" className={buttonClass()}>
            Show the steps
          </Link>
        }
      />
      <DeleteAccountGroup hasPassword={security.data?.has_password ?? true} />
    </SettingsPanel>
  )
}

function ReviewRequiredNotice() {
  return (
    <Notice tone="danger" title="Review how you log in" className="mb-8">
      <p className="text-quiet">
        Your password was reset.{' '}
        <Link to={securityPath} className="text-accent-ink underline underline-offset-2">
          Decide which ways to log in are yours
        </Link>
        .
      </p>
    </Notice>
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
