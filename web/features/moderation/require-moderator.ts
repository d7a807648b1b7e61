import { redirect } from '@tanstack/react-router'
import { getSession } from '../../session-store.ts'
import { toast } from '../../ui/toast.tsx'
import { requireSession } from '../accounts/require-session.ts'

/**
 * A guard for `beforeLoad` of moderators' pages; the server refuses each of their calls all the same.
 * Text: product.md section 4, Route guards.
 */
export async function requireModerator(page: Parameters<typeof requireSession>[0]): Promise<void> {
  await requireSession(page)
  if (getSession().isModerator) return
  toast('Access denied: Moderator privileges required', { tone: 'danger' })
  throw redirect({ to: '/', replace: true })
}
