import { beginLinkingIdentity, deleteIdentity } from '@reelmark/contract/identities.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Link2 from 'lucide-react/icons/link-2'
import { useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
import {
  SettingsEmpty,
  SettingsGroup,
  SettingsLoadFailed,
  SettingsRow,
  SettingsRows,
  SettingsRowsSkeleton,
} from '../../../shared/pages/settings-panel.tsx'
import { redirectTo } from '../../../shared/session/redirects.ts'
import { securityPath } from '../../../shared/session/security-path.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { identitiesQuery, invalidateSignInSettings, signInMethodsSettingsQuery } from '../settings-queries.ts'
import { saveOidcRedirectState } from './oidc-redirect-state.ts'

/** Lists the linked accounts of the identity provider; nothing if none is configured and none is linked. */
export function IdentitiesSettingsPanel() {
  const methods = useQuery(signInMethodsSettingsQuery)
  const identities = useQuery(identitiesQuery)
  const client = useQueryClient()
  const link = useApiMutation(beginLinkingIdentity, {
    onSuccess({ url }) {
      saveOidcRedirectState({ intent: 'link', redirect: securityPath, remember: true })
      redirectTo(url)
    },
  })
  const [removing, setRemoving] = useState<{ id: number; issuer: string } | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const provider = methods.data?.oidc ?? null
  if (provider === null && (identities.data ?? []).length === 0) return null

  return (
    <SettingsGroup
      title="Linked accounts"
      lead={
        provider === null
          ? 'Accounts you can use to log in to Reelmark.'
          : `Link your ${provider.name} account to log in with it.`
      }
      action={
        provider !== null && (
          <Button busy={link.busy} busyText="Redirecting…" onClick={() => void link.run({})}>
            Link {provider.name}
          </Button>
        )
      }
    >
      <ErrorNotice text={link.errorText} />
      <div ref={list} tabIndex={-1}>
        {identities.isPending ? (
          <SettingsRowsSkeleton rows={1} label="Loading linked accounts" />
        ) : identities.isError ? (
          <SettingsLoadFailed subject="your linked accounts" onRetry={() => void identities.refetch()} />
        ) : identities.data.length === 0 ? (
          <SettingsEmpty>No linked accounts.</SettingsEmpty>
        ) : (
          <SettingsRows label="Linked accounts">
            {identities.data.map((identity) => (
              <SettingsRow
                key={identity.id}
                icon={<Link2 className="size-5" />}
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
          </SettingsRows>
        )}
      </div>
      <ConfirmRemovalDialog
        open={removing !== null}
        title={`Unlink ${removing?.issuer ?? ''}?`}
        action="Unlink"
        call={() => api(deleteIdentity, { params: { id: removing?.id ?? 0 } })}
        onClose={() => setRemoving(null)}
        onDone={() => {
          void invalidateSignInSettings(client)
          list.current?.focus()
        }}
      >
        You won't be able to log in with it. Your account on that site isn't affected.
      </ConfirmRemovalDialog>
    </SettingsGroup>
  )
}
