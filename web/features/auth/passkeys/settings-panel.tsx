import { deletePasskey, type Passkey } from '@reelmark/contract/passkeys.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Cloud from 'lucide-react/icons/cloud'
import Fingerprint from 'lucide-react/icons/fingerprint-pattern'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import { useRef, useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { ConfirmRemovalDialog } from '../../../shared/forms/confirm-removal-dialog.tsx'
import {
  SettingsEmpty,
  SettingsGroup,
  SettingsLoadFailed,
  SettingsRow,
  SettingsRows,
  SettingsRowsSkeleton,
} from '../../../shared/pages/settings-panel.tsx'
import { usePasskeySupport } from '../../../shared/session/webauthn.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/chip.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { invalidateSignInSettings, passkeysQuery } from '../settings-queries.ts'
import { NewPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'

/** Lists, adds, renames and removes passkeys. */
export function PasskeysSettingsPanel({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const passkeys = useQuery(passkeysQuery)
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'new' | { rename: Passkey } | { remove: Passkey } | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const canUsePasskeys = usePasskeySupport()
  const passkeyToRename = dialog !== null && dialog !== 'new' && 'rename' in dialog ? dialog.rename : null
  const passkeyToRemove = dialog !== null && dialog !== 'new' && 'remove' in dialog ? dialog.remove : null

  return (
    <SettingsGroup
      title="Passkeys"
      lead="Log in with your fingerprint, face, PIN or security key instead of a password. Passkeys also work as your second step."
      action={canUsePasskeys && <Button onClick={() => setDialog('new')}>Add a passkey</Button>}
    >
      {!canUsePasskeys && (
        <Notice tone="info">
          <p>This browser doesn't support passkeys. Open Settings in a different browser to add one.</p>
        </Notice>
      )}
      <div ref={list} tabIndex={-1}>
        {passkeys.isPending ? (
          <SettingsRowsSkeleton rows={1} label="Loading passkeys" />
        ) : passkeys.isError ? (
          <SettingsLoadFailed subject="your passkeys" onRetry={() => void passkeys.refetch()} />
        ) : passkeys.data.length === 0 ? (
          <SettingsEmpty>No passkeys yet.</SettingsEmpty>
        ) : (
          <SettingsRows label="Passkeys">
            {passkeys.data.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                onRename={() => setDialog({ rename: passkey })}
                onRemove={() => setDialog({ remove: passkey })}
              />
            ))}
          </SettingsRows>
        )}
      </div>
      <NewPasskeyDialog
        open={dialog === 'new'}
        onClose={() => setDialog(null)}
        onDone={(codes) => {
          if (codes !== null) onCodes(codes)
          void invalidateSignInSettings(client)
        }}
      />
      <RenamePasskeyDialog passkey={passkeyToRename} onClose={() => setDialog(null)} />
      <ConfirmRemovalDialog
        open={passkeyToRemove !== null}
        title={`Remove ${passkeyToRemove?.name ?? 'the passkey'}?`}
        action="Remove passkey"
        call={() => api(deletePasskey, { params: { id: passkeyToRemove?.id ?? 0 } })}
        onClose={() => setDialog(null)}
        onDone={() => {
          void invalidateSignInSettings(client)
          list.current?.focus()
        }}
      >
        You won't be able to log in with it. Delete it from your device too, or it may still be offered.
      </ConfirmRemovalDialog>
    </SettingsGroup>
  )
}

function PasskeyRow({
  passkey,
  onRename,
  onRemove,
}: {
  passkey: Passkey
  onRename: () => void
  onRemove: () => void
}) {
  return (
    <SettingsRow
      icon={<Fingerprint className="size-5" />}
      title={passkey.name}
      badge={
        passkey.is_synced && (
          <Badge>
            <Cloud className="size-3.5" />
            Synced
          </Badge>
        )
      }
      facts={
        <>
          <span>
            Added <RelativeTime time={passkey.created_at} />
          </span>
          <span>
            {passkey.last_used_at === null ? (
              'Not used yet'
            ) : (
              <>
                Last used <RelativeTime time={passkey.last_used_at} />
              </>
            )}
          </span>
        </>
      }
      action={
        <>
          <IconButton label={`Rename ${passkey.name}`} onClick={onRename}>
            <Pencil className="size-4.5" />
          </IconButton>
          <IconButton label={`Remove ${passkey.name}`} onClick={onRemove}>
            <Trash2 className="size-4.5" />
          </IconButton>
        </>
      }
    />
  )
}
