/** Moderators are asked, calmly, to protect accounts that can do more than others with a second step. */
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import ShieldAlert from 'lucide-react/icons/shield-exclamation-point'
import { useState } from 'react'
import { securityPath } from '../../shared/session/security-path.ts'
import { useSession } from '../../shared/session/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { securityQuery } from '../auth/public-api.ts'

const text = 'Moderators should use two-step verification. Set it up to protect your account.'

/** Pages that say or do it themselves. */
const hiddenOnPaths: readonly string[] = ['/moderator', securityPath]

/** Below the header, until it is done or put off; 'Later' is until the tab is closed. */
export function SecondFactorBanner() {
  const isNeeded = useIsReminderNeeded()
  const pathname = useLocation({ select: (location) => location.pathname })
  const [isPutOff, setPutOff] = useState(isDismissed)
  if (
    !isNeeded ||
    isPutOff ||
    hiddenOnPaths.some((path) => pathname === path || pathname.startsWith(`${path}/`))
  )
    return null
  return (
    <aside aria-label="Protect your account" className="border-b border-line bg-raised">
      <div className="page flex flex-wrap items-center gap-x-4 gap-y-2 py-2 text-14">
        <p className="flex flex-1 basis-72 items-center gap-3">
          <ShieldAlert className="size-5 shrink-0 text-accent-ink max-sm:self-start" />
          {text}
        </p>
        <div className="flex gap-2 max-sm:ml-8">
          <Link to={securityPath} className={buttonClass('plain', 'sm')}>
            Set up
          </Link>
          <Button
            tone="quiet"
            size="sm"
            onClick={() => {
              dismiss()
              setPutOff(true)
            }}
          >
            Later
          </Button>
        </div>
      </div>
    </aside>
  )
}

/** On the moderators' own page, where it cannot be put off. */
export function SecondFactorNotice() {
  if (!useIsReminderNeeded()) return null
  return (
    <Notice tone="info" className="items-center">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="flex-1 basis-72">{text}</p>
        <Link to={securityPath} className={buttonClass('plain', 'sm')}>
          Set up
        </Link>
      </div>
    </Notice>
  )
}

function useIsReminderNeeded(): boolean {
  const { isModerator } = useSession()
  const { data } = useQuery({ ...securityQuery, enabled: isModerator })
  return isModerator && data !== undefined && !data.has_authenticator && data.passkeys_count === 0
}

const dismissedKey = 'second-factor-later'

function isDismissed(): boolean {
  try {
    return sessionStorage.getItem(dismissedKey) !== null
  } catch {
    return false
  }
}

function dismiss(): void {
  try {
    sessionStorage.setItem(dismissedKey, 'yes')
  } catch {
    // Then it is put off until the next page load.
  }
}
