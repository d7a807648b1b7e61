import { redirect } from '@tanstack/react-router'
import { requireSession } from '../../shared/session/require-session.ts'
import { refreshUser } from '../../shared/session/session.ts'
import { getSession } from '../../shared/session/session-store.ts'
import { toast } from '../../ui/toast.tsx'

export const deniedText = 'Access denied: Moderator privileges required'

/**
 * A guard for `beforeLoad` of moderators' pages; the server refuses each of their calls all the same.
 * Text: docs/behaviour.md, Accounts and sessions.
 */
export async function requireModerator({
  preload = false,
  cause,
  ...page
}: Parameters<typeof requireSession>[0] & { preload?: boolean; cause?: string }): Promise<void> {
  await requireSession(page)
  // A pointer over a link is no wish to go there: nothing is said yet. Within the dashboard its calls say it.
  if (preload || cause === 'stay') return
  // What was stored at the login may be true no more, either way.
  await refreshUser()
  if (getSession().isModerator) return
  toast(deniedText, { tone: 'danger' })
  throw redirect({ to: '/', replace: true })
}
