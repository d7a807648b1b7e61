import { type Passkey, removePasskey } from '@reelmark/contract/passkeys.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Cloud, Fingerprint, Pencil, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Badge } from '../../ui/chip.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { usePasskeySupport } from '../accounts/passkey-login.ts'
import { NewPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'
import { passkeysQuery, signInChanged } from './queries.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { Group, LoadFailed, NothingYet, Row, Rows, RowsSkeleton } from './section.tsx'

/** Signing in by what unlocks one's device. */
export function PasskeysGroup({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const passkeys = useQuery(passkeysQuery)
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'new' | { rename: Passkey } | { remove: Passkey } | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const supported = usePasskeySupport()
  const renamed = dialog !== null && dialog !== 'new' && 'rename' in dialog ? dialog.rename : null
  const removed = dialog !== null && dialog !== 'new' && 'remove' in dialog ? dialog.remove : null

  return (
    <Group
      title="Passkeys"
      lead="Log in with your fingerprint, face, PIN or security key instead of a password. Passkeys also work as your second step."
      action={supported && <Button onClick={() => setDialog('new')}>Add a passkey</Button>}
    >
      {!supported && (
        <Notice tone="info">
          <p>This browser doesn't support passkeys. Open Settings in a different browser to add one.</p>
        </Notice>
      )}
      <div ref={list} tabIndex={-1}>
        {passkeys.isPending ? (
          <RowsSkeleton rows={1} label="Loading passkeys" />
        ) : passkeys.isError ? (
          <LoadFailed what="your passkeys" onRetry={() => void passkeys.refetch()} />
        ) : passkeys.data.length === 0 ? (
          <NothingYet>No passkeys yet.</NothingYet>
        ) : (
          <Rows label="Passkeys">
            {passkeys.data.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                onRename={() => setDialog({ rename: passkey })}
                onRemove={() => setDialog({ remove: passkey })}
              />
            ))}
          </Rows>
        )}
      </div>
      <NewPasskeyDialog
        open={dialog === 'new'}
        onClose={() => setDialog(null)}
        onDone={(codes) => {
          if (codes !== null) onCodes(codes)
          void signInChanged(client)
        }}
      />
      <RenamePasskeyDialog passkey={renamed} onClose={() => setDialog(null)} />
      <RemoveDialog
        open={removed !== null}
        title={`Remove ${removed?.name ?? 'the passkey'}?`}
        action="Remove passkey"
        call={() => api(removePasskey, { params: { id: removed?.id ?? 0 } })}
        onClose={() => setDialog(null)}
        onDone={() => {
          void signInChanged(client)
          list.current?.focus()
        }}
      >
        You won't be able to log in with it. Delete it from your device too, or it may still be offered.
      </RemoveDialog>
    </Group>
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
    <Row
      icon={<Fingerprint className="size-5" strokeWidth={1.75} />}
      title={passkey.name}
      badge={
        passkey.is_synced && (
          <Badge>
            <Cloud aria-hidden="true" className="size-3.5" strokeWidth={1.75} />
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
            <Pencil aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          </IconButton>
          <IconButton label={`Remove ${passkey.name}`} onClick={onRemove}>
            <Trash2 aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          </IconButton>
        </>
      }
    />
  )
}
