import { endOtherSessions, endSession, type Session } from '@reelmark/contract/accounts.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'
import { useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
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

/** Lists the user's sessions and ends them. */
export function SessionsSettingsPanel() {
  const sessions = useQuery(sessionsQuery)
  const client = useQueryClient()
  const [endingOthers, setEndingOthers] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const otherSessionsCount = sessions.data?.filter((session) => !session.is_current).length ?? 0
  // The current device comes first.
  const sorted = sessions.data?.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))

  function removeEnded(isEnded: (session: Session) => boolean, text: string) {
    client.setQueryData(sessionsQuery.queryKey, (sessionList) =>
      sessionList?.filter((session) => !isEnded(session)),
    )
    toast(text, { tone: 'success' })
    // The focused button was removed with its row.
    list.current?.focus()
  }

  return (
    <SettingsGroup
      title="Active sessions"
      lead="Don't recognise a session? Log it out and change your password."
      action={
        otherSessionsCount > 0 && (
          <Button onClick={() => setEndingOthers(true)}>Log out all other sessions</Button>
        )
      }
    >
      <div ref={list} tabIndex={-1}>
        {sessions.isPending ? (
          <SettingsRowsSkeleton label="Loading sessions" />
        ) : sessions.isError ? (
          <SettingsLoadFailed subject="your sessions" onRetry={() => void sessions.refetch()} />
        ) : (
          <SettingsRows label="Sessions">
            {sorted?.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                onEnded={() =>
                  removeEnded(({ id }) => id === session.id, `${session.device} has been logged out.`)
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
        onDone={() => removeEnded(({ is_current }) => !is_current, 'All other sessions logged out.')}
      >
        This logs out {otherSessionsCount === 1 ? '1 other device' : `${otherSessionsCount} other devices`}.
        You'll stay logged in here.
      </ConfirmRemovalDialog>
    </SettingsGroup>
  )
}

function SessionRow({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const end = useApiMutation(endSession, { onSuccess: onEnded })
  const logOut = useApiMutation(() => signOut())
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
          {end.errorText !== null && (
            <span role="alert" className="basis-full text-danger">
              {end.errorText}
            </span>
          )}
        </>
      }
      action={
        is_current ? (
          <Button size="sm" busy={logOut.busy} busyText="Logging out..." onClick={() => void logOut.run()}>
            Log out
          </Button>
        ) : (
          <Button
            size="sm"
            aria-label={`Log out ${device}`}
            busy={end.busy}
            busyText="Logging out..."
            onClick={() => void end.run({ params: { id: session.id } })}
          >
            Log out
          </Button>
        )
      }
    />
  )
}
