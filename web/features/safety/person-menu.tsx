import { useQueryClient } from '@tanstack/react-query'
import { Ban, CircleCheck, Volume2, VolumeX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { isSaidAsSuspension } from '../../suspension.ts'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import type { ReportTarget } from '../reports/report-target.ts'
import { useReport } from '../reports/use-report.tsx'
import { type SafetyPerson, setBlocked, setMuted } from './safety-calls.ts'

const BlockQuestion = lazy(() =>
  import('./block-question.tsx').then((module) => ({ default: module.BlockQuestion })),
)

interface PersonMenuProps {
  person: SafetyPerson
  muteId: number | null
  isBlocked?: boolean
  size?: 'sm' | 'md'
  tone?: 'quiet' | 'plain'
  /** What is reported, where it is something else than the person. */
  reports?: ReportTarget
  /** After a block: whatever had the focus may be gone. */
  onBlocked?: () => void
}

/** What one can do about somebody else: mute and block them, or no more; report them, or what they say. For who is signed in. */
export function PersonMenu({
  person,
  muteId,
  isBlocked = false,
  size = 'md',
  tone = 'quiet',
  reports,
  onBlocked,
}: PersonMenuProps) {
  const client = useQueryClient()
  const [asking, setAsking] = useState<'never' | 'open' | 'closed'>('never')
  const { username } = person
  const reporting = useReport(
    reports ?? { kind: 'user', id: person.id, title: `Report ${username}`, name: username },
  )

  async function say(doing: Promise<void>, done: string, failed: string) {
    try {
      await doing
      toast(done, { tone: 'success' })
    } catch (error) {
      if (!isSaidAsSuspension(error)) toast(failed, { tone: 'danger' })
    }
  }

  const icon = { 'aria-hidden': true, strokeWidth: 1.75 } as const
  const mute =
    muteId === null
      ? {
          label: `Mute ${username}`,
          icon: <VolumeX {...icon} />,
          onSelect: () =>
            void say(
              setMuted(client, person, null),
              `${username} muted. You won't see their bookmarks in Explore. They won't be notified.`,
              `Couldn't mute ${username}. Try again.`,
            ),
        }
      : {
          label: `Unmute ${username}`,
          icon: <Volume2 {...icon} />,
          onSelect: () =>
            void say(
              setMuted(client, person, muteId),
              `${username} unmuted.`,
              `Couldn't unmute ${username}. Try again.`,
            ),
        }
  const block = isBlocked
    ? {
        label: `Unblock ${username}`,
        icon: <CircleCheck {...icon} />,
        onSelect: () =>
          void say(
            setBlocked(client, person, false),
            `${username} unblocked.`,
            `Couldn't unblock ${username}. Try again.`,
          ),
      }
    : {
        label: `Block ${username}`,
        icon: <Ban {...icon} />,
        danger: true,
        onSelect: () => setAsking('open'),
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
      {asking !== 'never' && (
        <Suspense>
          <BlockQuestion
            person={person}
            open={asking === 'open'}
            onClose={() => setAsking('closed')}
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
