import { useQueryClient } from '@tanstack/react-query'
import Ban from 'lucide-react/icons/ban'
import CircleCheck from 'lucide-react/icons/circle-check'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'
import { lazy, Suspense, useState } from 'react'
import { isSuspensionError } from '../../../shared/session/suspension.ts'
import { Menu } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type ReportTarget, useReport } from '../../moderation/public-api.ts'
import { type BlockableUser, setBlocked, setMuted } from './block-and-mute-calls.ts'

const BlockDialog = lazy(() =>
  import('./block-dialog.tsx').then((module) => ({ default: module.BlockDialog })),
)

interface UserMenuProps {
  user: BlockableUser
  muteId: number | null
  isBlocked?: boolean
  size?: 'sm' | 'md'
  tone?: 'quiet' | 'plain'
  /** The content to report, if it is not the user. */
  reports?: ReportTarget
  /** Runs after a block, when the focused element may no longer exist. */
  onBlocked?: () => void
}

/** The menu to report, mute and block another user, for signed-in users. */
export function UserMenu({
  user,
  muteId,
  isBlocked = false,
  size = 'md',
  tone = 'quiet',
  reports,
  onBlocked,
}: UserMenuProps) {
  const client = useQueryClient()
  const [blockDialog, setBlockDialog] = useState<'never' | 'open' | 'closed'>('never')
  const { username } = user
  const reporting = useReport(reports ?? { kind: 'user', id: user.id, title: `Report ${username}` })

  async function showResult(action: Promise<void>, successText: string, errorText: string) {
    try {
      await action
      toast(successText, { tone: 'success' })
    } catch (error) {
      if (!isSuspensionError(error)) toast(errorText, { tone: 'danger' })
    }
  }

  const mute =
    muteId === null
      ? {
          label: `Mute ${username}`,
          icon: <VolumeX />,
          onSelect: () =>
            void showResult(
              setMuted(client, user, null),
              `${username} muted. You won't see their bookmarks in Explore. They won't be notified.`,
              `Couldn't mute ${username}. Try again.`,
            ),
        }
      : {
          label: `Unmute ${username}`,
          icon: <Volume2 />,
          onSelect: () =>
            void showResult(
              setMuted(client, user, muteId),
              `${username} unmuted.`,
              `Couldn't unmute ${username}. Try again.`,
            ),
        }
  const block = isBlocked
    ? {
        label: `Unblock ${username}`,
        icon: <CircleCheck />,
        onSelect: () =>
          void showResult(
            setBlocked(client, user, false),
            `${username} unblocked.`,
            `Couldn't unblock ${username}. Try again.`,
          ),
      }
    : {
        label: `Block ${username}`,
        icon: <Ban />,
        danger: true,
        onSelect: () => setBlockDialog('open'),
      }

  return (
    <>
      <Menu
        label={`More options for ${username}`}
        size={size}
        tone={tone}
        items={[reporting.item, mute, block]}
      />
      {reporting.dialog}
      {blockDialog !== 'never' && (
        <Suspense>
          <BlockDialog
            user={user}
            open={blockDialog === 'open'}
            onClose={() => setBlockDialog('closed')}
            onBlocked={() => {
              toast(`${username} blocked.`, { tone: 'success' })
              onBlocked?.()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
