import { type AccessToken, removeAccessToken } from '@reelmark/contract/access-tokens.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { dayOf } from './day.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { securityQuery, tokensQuery } from './queries.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { Group, LoadFailed, NothingYet, Row, Rows, RowsSkeleton, Section } from './section.tsx'
import { TokenExample } from './token-example.tsx'

/** Keys for scripts and extensions. */
export function TokensSection() {
  const tokens = useQuery(tokensQuery)
  const client = useQueryClient()
  const [creating, setCreating] = useState(false)
  const [removing, setRemoving] = useState<AccessToken | null>(null)
  const list = useRef<HTMLDivElement>(null)

  return (
    <Section
      title="Access tokens"
      lead="Give scripts and extensions access to your account. Tokens can't access your password, sessions or other tokens."
    >
      <Group
        title="Your tokens"
        action={
          <Button tone="accent" onClick={() => setCreating(true)}>
            Create a token
          </Button>
        }
      >
        <div ref={list} tabIndex={-1}>
          {tokens.isPending ? (
            <RowsSkeleton label="Loading tokens" />
          ) : tokens.isError ? (
            <LoadFailed what="your tokens" onRetry={() => void tokens.refetch()} />
          ) : tokens.data.length === 0 ? (
            <NothingYet>No tokens yet. Create one per script so you can revoke them individually.</NothingYet>
          ) : (
            <Rows label="Tokens">
              {tokens.data.map((token) => (
                <TokenRow key={token.id} token={token} onRemove={() => setRemoving(token)} />
              ))}
            </Rows>
          )}
        </div>
      </Group>
      <TokenExample />
      <NewTokenDialog open={creating} onClose={() => setCreating(false)} />
      <RemoveDialog
        open={removing !== null}
        title={`Revoke ${removing?.name ?? 'the token'}?`}
        action="Revoke token"
        call={() => api(removeAccessToken, { params: { id: removing?.id ?? 0 } })}
        onClose={() => setRemoving(null)}
        onDone={() => {
          const id = removing?.id
          client.setQueryData(tokensQuery.queryKey, (old) => old?.filter((token) => token.id !== id))
          void client.invalidateQueries(securityQuery)
          list.current?.focus()
        }}
      >
        Anything using this token will stop working immediately.
      </RemoveDialog>
    </Section>
  )
}

function TokenRow({ token, onRemove }: { token: AccessToken; onRemove: () => void }) {
  const { name, scopes, hint, created_at, expires_at, last_used_at } = token
  const isOver = expires_at !== null && new Date(expires_at).getTime() <= Date.now()
  return (
    <Row
      icon={<KeyRound className="size-5" strokeWidth={1.75} />}
      title={name}
      badge={
        <>
          {scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
          {isOver && <Badge tone="danger">Expired</Badge>}
        </>
      }
      facts={
        <>
          <span className="font-mono">{hint}…</span>
          <span>
            Created <RelativeTime time={created_at} />
          </span>
          <span>
            {last_used_at === null ? (
              'Never used'
            ) : (
              <>
                Last used <RelativeTime time={last_used_at} />
              </>
            )}
          </span>
          {!isOver && (
            <span>{expires_at === null ? "Doesn't expire" : `Expires on ${dayOf(expires_at)}`}</span>
          )}
        </>
      }
      action={
        <Button size="sm" aria-label={`Revoke ${name}`} onClick={onRemove}>
          Revoke
        </Button>
      }
    />
  )
}
