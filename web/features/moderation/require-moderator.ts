import { redirect } from '@tanstack/react-router'
import { requireSession } from '../../shared/session/require-session.ts'
import { refreshUser } from '../../shared/session/session.ts'
import { getSession } from '../../shared/session/session-store.ts'
import { toast } from '../../ui/toast.tsx'

export const deniedText = 'Access denied: Moderator privileges required'

/**
 * Guards the moderation pages, as `beforeLoad`. The server refuses the requests of other users in any case. Text:
 * docs/behaviour.md, Accounts and sessions.
 */
export async function requireModerator({
  preload = false,
  cause,
  ...page
}: Parameters<typeof requireSession>[0] & { preload?: boolean; cause?: string }): Promise<void> {
  await requireSession(page)
  // Hovering over a link preloads the page and must not show a message. Within the dashboard, its requests detect a
  // demotion.
  if (preload || cause === 'stay') return
  // The role stored at login may be outdated.
  await refreshUser()
  if (getSession().isModerator) return
  toast(deniedText, { tone: 'danger' })
  throw redirect({ to: '/', replace: true })
}
