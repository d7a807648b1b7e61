import { endOtherSessions, endSession, type Session } from '@reelmark/contract/accounts.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { signOut } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { toast } from '../../ui/toast.tsx'
import { sessionsQuery } from './queries.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { Group, LoadFailed, Row, Rows, RowsSkeleton } from './section.tsx'
import { useAction } from './use-action.ts'

/** Where one is signed in. */
export function SessionsGroup() {
  const sessions = useQuery(sessionsQuery)
  const client = useQueryClient()
  const [endingOthers, setEndingOthers] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const others = sessions.data?.filter((session) => !session.is_current).length ?? 0
  // This device first: it is what the others are compared with.
  const sorted = sessions.data?.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))

  function gone(ids: (session: Session) => boolean, text: string) {
    client.setQueryData(sessionsQuery.queryKey, (old) => old?.filter((session) => !ids(session)))
    toast(text, { tone: 'success' })
    // What had the focus is not there any more.
    list.current?.focus()
  }

  return (
    <Group
      title="Active sessions"
      lead="Don't recognise a session? Log it out and change your password."
      action={others > 0 && <Button onClick={() => setEndingOthers(true)}>Log out all other sessions</Button>}
    >
      <div ref={list} tabIndex={-1}>
        {sessions.isPending ? (
          <RowsSkeleton label="Loading sessions" />
        ) : sessions.isError ? (
          <LoadFailed what="your sessions" onRetry={() => void sessions.refetch()} />
        ) : (
          <Rows label="Sessions">
            {sorted?.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                onEnded={() => gone(({ id }) => id === session.id, `${session.device} has been logged out.`)}
              />
            ))}
          </Rows>
        )}
      </div>
      <RemoveDialog
        open={endingOthers}
        title="Log out all other sessions?"
        action="Log out all"
        call={() => api(endOtherSessions, {})}
        onClose={() => setEndingOthers(false)}
        onDone={() => gone(({ is_current }) => !is_current, 'All other sessions logged out.')}
      >
        This logs out {others === 1 ? '1 other device' : `${others} other devices`}. You'll stay logged in
        here.
      </RemoveDialog>
    </Group>
  )
}

function SessionRow({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const { busy, problem, run } = useAction()
  const [leaving, setLeaving] = useState(false)
  const { device, is_current } = session
  const Icon = /iPhone|iPad|Android/.test(device) ? Smartphone : Monitor
  return (
    <Row
      icon={<Icon className="size-5" strokeWidth={1.75} />}
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
