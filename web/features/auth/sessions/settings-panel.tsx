import { endOtherSessions, endSession, type Session } from '@reelmark/contract/accounts.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'
import { useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import {
  SettingsGroup,
  SettingsLoadFailed,
  SettingsRow,
  SettingsRows,
  SettingsRowsSkeleton,
} from '../../../shared/pages/settings-panel.tsx'
import { signOut } from '../../../shared/session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { sessionsQuery } from '../settings-queries.ts'

/** Where one is signed in. */
export function SessionsSettingsPanel() {
  const sessions = useQuery(sessionsQuery)
  const client = useQueryClient()
  const [endingOthers, setEndingOthers] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const others = sessions.data?.filter((session) => !session.is_current).length ?? 0
  // This device first: it is what the others are compared with.
  const sorted = sessions.data?.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))

  function isUnmounted(ids: (session: Session) => boolean, text: string) {
    client.setQueryData(sessionsQuery.queryKey, (old) => old?.filter((session) => !ids(session)))
    toast(text, { tone: 'success' })
    // What had the focus is not there any more.
    list.current?.focus()
  }

  return (
    <SettingsGroup
      title="Active sessions"
      lead="Don't recognise a session? Log it out and change your password."
      action={others > 0 && <Button onClick={() => setEndingOthers(true)}>Log out all other sessions</Button>}
    >
      <div ref={list} tabIndex={-1}>
        {sessions.isPending ? (
          <SettingsRowsSkeleton label="Loading sessions" />
        ) : sessions.isError ? (
          <SettingsLoadFailed what="your sessions" onRetry={() => void sessions.refetch()} />
        ) : (
          <SettingsRows label="Sessions">
            {sorted?.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                onEnded={() =>
                  isUnmounted(({ id }) => id === session.id, `${session.device} has been logged out.`)
                }
              />
            ))}
          </SettingsRows>
        )}
      </div>
      <ConfirmRemovalDialog
        open={endingOthers}
        title="Log out all other sessions?"
        action="Log out all"
        call={() => api(endOtherSessions, {})}
        onClose={() => setEndingOthers(false)}
        onDone={() => isUnmounted(({ is_current }) => !is_current, 'All other sessions logged out.')}
      >
        This logs out {others === 1 ? '1 other device' : `${others} other devices`}. You'll stay logged in
        here.
      </ConfirmRemovalDialog>
    </SettingsGroup>
  )
}

function SessionRow({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const { busy, problem, run } = useSubmit()
  const [leaving, setLeaving] = useState(false)
  const { device, is_current } = session
  const Icon = /iPhone|iPad|Android/.test(device) ? Smartphone : Monitor
  return (
    <SettingsRow
      icon={<Icon className="size-5" />}
      title={device}
      badge={is_current && <Badge tone="accent">This device</Badge>}
      facts={
        <>
          {session.address !== null && <span>{session.address}</span>}
          <span>
            {is_current ? (
              'Active now'
            ) : (
              <>
                Last used <RelativeTime time={session.last_used_at} />
              </>
            )}
          </span>
          {problem !== null && (
            <span role="alert" className="basis-full text-danger">
              {problem}
            </span>
          )}
        </>
      }
      action={
        is_current ? (
          <Button
            size="sm"
            busy={leaving}
            busyText="Logging out..."
            onClick={() => {
              setLeaving(true)
              void signOut()
            }}
          >
            Log out
          </Button>
        ) : (
          <Button
            size="sm"
            aria-label={`Log out ${device}`}
            busy={busy}
            busyText="Logging out..."
            onClick={async () => {
              if ((await run(() => api(endSession, { params: { id: session.id } }))) !== null) onEnded()
            }}
          >
            Log out
          </Button>
        )
      }
    />
  )
}
