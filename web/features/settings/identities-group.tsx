import { beginIdentity, removeIdentity } from '@reelmark/contract/identities.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { leaveFor } from '../../leave.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { rememberTrip } from '../accounts/oidc-trip.ts'
import { securityPath } from '../accounts/security-path.ts'
import { identitiesQuery, signInChanged, waysQuery } from './queries.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { Group, LoadFailed, NothingYet, Row, Rows, RowsSkeleton } from './section.tsx'
import { useAction } from './use-action.ts'

/** Sign-ins of the other site that vouches for people here; nothing where none is set up and none is linked. */
export function IdentitiesGroup() {
  const ways = useQuery(waysQuery)
  const identities = useQuery(identitiesQuery)
  const client = useQueryClient()
  const { busy, problem, run } = useAction()
  const [removing, setRemoving] = useState<{ id: number; issuer: string } | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const other = ways.data?.oidc ?? null
  if (other === null && (identities.data ?? []).length === 0) return null

  async function link() {
    const begun = await run(() => api(beginIdentity, {}))
    if (begun === null) return
    rememberTrip({ intent: 'link', redirect: securityPath, remember: true })
    leaveFor(begun.reply.url)
  }

  return (
    <Group
      title="Linked accounts"
      lead={
        other === null
          ? 'Accounts you can use to log in to Reelmark.'
          : `Link your ${other.name} account to log in with it.`
      }
      action={
        other !== null && (
          <Button busy={busy} busyText="Redirecting…" onClick={() => void link()}>
            Link {other.name}
          </Button>
        )
      }
    >
      {problem !== null && (
        <Notice tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      <div ref={list} tabIndex={-1}>
        {identities.isPending ? (
          <RowsSkeleton rows={1} label="Loading linked sign-ins" />
        ) : identities.isError ? (
          <LoadFailed what="your linked accounts" onRetry={() => void identities.refetch()} />
        ) : identities.data.length === 0 ? (
          <NothingYet>No linked accounts.</NothingYet>
        ) : (
          <Rows label="Linked accounts">
            {identities.data.map((identity) => (
              <Row
                key={identity.id}
                icon={<Link2 className="size-5" strokeWidth={1.75} />}
                title={identity.issuer}
                facts={
                  <>
                    {identity.email !== null && <span className="wrap-anywhere">{identity.email}</span>}
                    <span>
                      Linked <RelativeTime time={identity.created_at} />
                    </span>
                    {identity.last_used_at !== null && (
                      <span>
                        Last used <RelativeTime time={identity.last_used_at} />
                      </span>
                    )}
                  </>
                }
                action={
                  <Button
                    size="sm"
                    aria-label={`Unlink ${identity.issuer}`}
                    onClick={() => setRemoving(identity)}
                  >
                    Unlink
                  </Button>
                }
              />
            ))}
          </Rows>
        )}
      </div>
      <RemoveDialog
        open={removing !== null}
        title={`Unlink ${removing?.issuer ?? ''}?`}
        action="Unlink"
        call={() => api(removeIdentity, { params: { id: removing?.id ?? 0 } })}
        onClose={() => setRemoving(null)}
        onDone={() => {
          void signInChanged(client)
          list.current?.focus()
        }}
      >
        You won't be able to log in with it. Your account on that site isn't affected.
      </RemoveDialog>
    </Group>
  )
}
