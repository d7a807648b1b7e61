import { type AccessToken, deleteAccessToken } from '@reelmark/contract/access-tokens.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import { useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
import { SettingsList } from '../../../shared/pages/settings-list.tsx'
import { SettingsGroup, SettingsPanel, SettingsRow } from '../../../shared/pages/settings-panel.tsx'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { formatDate } from '../../../ui/format-date.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { securityQuery, tokensQuery } from '../settings-queries.ts'
import { FeedGroup } from './feed-group.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { TokenExample } from './token-example.tsx'

/** Lists, creates and revokes access tokens, which scripts and extensions use. */
export function AccessTokensSettingsPanel() {
  const tokens = useQuery(tokensQuery)
  const client = useQueryClient()
  const [creating, setCreating] = useState(false)
  const [removing, setRemoving] = useState<AccessToken | null>(null)
  const list = useRef<HTMLDivElement>(null)

  return (
    <SettingsPanel
      title="Access tokens"
      lead="Give scripts and extensions access to your account. Tokens can't access your password, sessions or other tokens."
    >
      <SettingsGroup
        title="Your tokens"
        action={
          <Button tone="accent" onClick={() => setCreating(true)}>
            Create a token
          </Button>
        }
      >
        <div ref={list} tabIndex={-1}>
          <SettingsList
            query={tokens}
            label="Tokens"
            subject="your tokens"
            empty="No tokens yet. Create one per script so you can revoke them individually."
          >
            {(token) => <TokenRow key={token.id} token={token} onRemove={() => setRemoving(token)} />}
          </SettingsList>
        </div>
      </SettingsGroup>
      {tokens.data !== undefined && <FeedGroup tokens={tokens.data} />}
      <TokenExample />
      <NewTokenDialog open={creating} onClose={() => setCreating(false)} />
      <ConfirmRemovalDialog
        open={removing !== null}
        title={`Revoke ${removing?.name ?? 'the token'}?`}
        action="Revoke token"
        call={() => api(deleteAccessToken, { params: { id: removing?.id ?? 0 } })}
        onClose={() => setRemoving(null)}
        onDone={() => {
          const id = removing?.id
          client.setQueryData(tokensQuery.queryKey, (old) => old?.filter((token) => token.id !== id))
          void client.invalidateQueries(securityQuery)
          list.current?.focus()
        }}
      >
        Anything using this token will stop working immediately.
      </ConfirmRemovalDialog>
    </SettingsPanel>
  )
}

function TokenRow({ token, onRemove }: { token: AccessToken; onRemove: () => void }) {
  const { name, scopes, hint, created_at, expires_at, last_used_at } = token
  const isExpired = expires_at !== null && new Date(expires_at).getTime() <= Date.now()
  return (
    <SettingsRow
      icon={<KeyRound className="size-5" />}
      title={name}
      badge={
        <>
          {scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
          {isExpired && <Badge tone="danger">Expired</Badge>}
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
          {!isExpired && (
            <span>{expires_at === null ? "Doesn't expire" : `Expires on ${formatDate(expires_at)}`}</span>
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
