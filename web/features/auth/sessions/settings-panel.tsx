import { endOtherSessions, endSessions, type Session } from '@reelmark/contract/accounts.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Monitor from 'lucide-react/icons/monitor'
import Smartphone from 'lucide-react/icons/smartphone'
import Terminal from 'lucide-react/icons/terminal'
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
import { groupSessions, type SessionGroup } from './session-groups.ts'

/** Lists the user's sessions and ends them. */
export function SessionsSettingsPanel() {
  const sessions = useQuery(sessionsQuery)
  const client = useQueryClient()
  const [endingOthers, setEndingOthers] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const otherSessionsCount = sessions.data?.filter((session) => !session.is_current).length ?? 0

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
            {groupSessions(sessions.data).map((group) => (
              <SessionRow
                key={group[0].id}
                group={group}
                onEnded={(ids) => {
                  const [{ device }] = group
                  const text =
                    ids.length === 1
                      ? `${device} has been logged out.`
                      : `${ids.length} sessions of ${device} have been logged out.`
                  removeEnded(({ id }) => ids.includes(id), text)
                }}
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

interface SessionRowProps {
  group: SessionGroup
  /** Runs with the ids of the sessions that ended. */
  onEnded: (ids: readonly number[]) => void
}

function SessionRow({ group, onEnded }: SessionRowProps) {
  const end = useApiMutation(endSessions, { onSuccess: (_, { body }) => onEnded(body.ids) })
  const logOut = useApiMutation(() => signOut())
  const [{ device, address, is_current, last_used_at }] = group
  const Icon = deviceIcon(device)
  return (
    <SettingsRow
      icon={<Icon className="size-5" />}
      title={device}
      badge={
        is_current ? (
          <Badge tone="accent">This device</Badge>
        ) : (
          group.length > 1 && <Badge>{group.length} sessions</Badge>
        )
      }
      facts={
        <>
          {address !== null && <span>{address}</span>}
          <span>
            {is_current ? (
              'Active now'
            ) : (
              <>
                Last used <RelativeTime time={last_used_at} />
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
            aria-label={group.length > 1 ? `End all sessions of ${device}` : `Log out ${device}`}
            busy={end.busy}
            busyText="Logging out..."
            onClick={() => void end.run({ body: { ids: group.map(({ id }) => id) } })}
          >
            {group.length > 1 ? 'End all' : 'Log out'}
          </Button>
        )
      }
    />
  )
}

function deviceIcon(device: string) {
  if (device.startsWith('API client')) return Terminal
  return /iPhone|iPad|Android/.test(device) ? Smartphone : Monitor
}
