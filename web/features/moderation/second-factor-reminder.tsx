/** Asks moderators to set up a second factor, because their accounts can do more than others. */
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import ShieldAlert from 'lucide-react/icons/shield-exclamation-point'
import { useState } from 'react'
import { securityPath } from '../../shared/session/security-path.ts'
import { useSession } from '../../shared/session/session.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { focusBeyond } from '../../ui/focus-beyond.ts'
import { readLocalStorage, writeLocalStorage } from '../../ui/local-storage.ts'
import { Notice } from '../../ui/notice.tsx'
import { securityQuery } from '../auth/public-api.ts'

const recommendedText = 'Moderators should use two-step verification. Set it up to protect your account.'
const requiredText = "Moderators need two-step verification. Moderator tools don't work until you set it up."

/** Pages that already ask for it. */
const hiddenOnPaths: readonly string[] = ['/moderator', securityPath]

/** A banner below the header until a second factor is set up, or for a day after it is dismissed. */
export function SecondFactorBanner() {
  const reminder = useReminder()
  const pathname = useLocation({ select: (location) => location.pathname })
  const [isHidden, setHidden] = useState(isDismissed)
  if (
    reminder === null ||
    isHidden ||
    hiddenOnPaths.some((path) => pathname === path || pathname.startsWith(`${path}/`))
  )
    return null
  return (
    <aside aria-label="Protect your account" className="border-b border-line bg-raised">
      <div className="page flex flex-wrap items-center gap-x-4 gap-y-2 py-2 text-14">
        <p className="flex flex-1 basis-72 items-center gap-3">
          <ShieldAlert className="size-5 shrink-0 text-accent-ink max-sm:self-start" />
          {reminder.text}
        </p>
        <div className="flex gap-2 max-sm:ml-8">
          <SetUpOrLater onLater={() => setHidden(true)} />
        </div>
      </div>
    </aside>
  )
}

/** The same as a notice on the moderation page. It cannot be dismissed where a second factor is required. */
export function SecondFactorNotice() {
  const reminder = useReminder()
  const [isHidden, setHidden] = useState(isDismissed)
  if (reminder === null || (isHidden && !reminder.isRequired)) return null
  return (
    <Notice tone="info" className="items-center">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="flex-1 basis-72">{reminder.text}</p>
        <div className="flex gap-2">
          <SetUpOrLater onLater={reminder.isRequired ? null : () => setHidden(true)} />
        </div>
      </div>
    </Notice>
  )
}

function SetUpOrLater({ onLater }: { onLater: (() => void) | null }) {
  return (
    <>
      <Link to={securityPath} className={buttonClass('plain', 'sm')}>
        Set up
      </Link>
      {onLater !== null && (
        <Button
          tone="quiet"
          size="sm"
          onClick={({ currentTarget }) => {
            // The button disappears with the reminder.
            focusBeyond(currentTarget.parentElement)
            dismiss()
            onLater()
          }}
        >
          Later
        </Button>
      )}
    </>
  )
}

/** Returns the reminder for a moderator without a second factor; null for other users. */
export function useReminder(): { text: string; isRequired: boolean } | null {
  const { isModerator } = useSession()
  const { data } = useQuery({ ...securityQuery, enabled: isModerator })
  if (!isModerator || data === undefined || data.has_authenticator || data.passkeys_count > 0) return null
  const isRequired = data.needs_second_factor
  return { text: isRequired ? requiredText : recommendedText, isRequired }
}

const dismissedKey = 'second-factor-later'
const day = 86_400_000

function isDismissed(): boolean {
  return Date.now() - Number(readLocalStorage(dismissedKey)) < day
}

function dismiss(): void {
  writeLocalStorage(dismissedKey, String(Date.now()))
}
