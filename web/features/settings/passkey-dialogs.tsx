import { limits } from '@reelmark/contract/limits.ts'
import { addPasskey, beginPasskey, type Passkey, renamePasskey } from '@reelmark/contract/passkeys.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { makePasskey, passkeyProblem } from '../accounts/own-passkeys.ts'
import { deviceName } from './device-name.ts'
import { problemText } from './problem-text.ts'
import { passkeysQuery } from './queries.ts'
import { useFields } from './use-fields.ts'

interface NewPasskeyDialogProps {
  open: boolean
  onClose: () => void
  /** With recovery codes where this is the first second step. */
  onDone: (codes: readonly string[] | null) => void
}

export function NewPasskeyDialog({ open, onClose, onDone }: NewPasskeyDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add a passkey"
      description="Your browser will ask where to save it: this device, your phone or a security key."
    >
      <NewPasskeyForm
        onCancel={onClose}
        onDone={(codes) => {
          onClose()
          onDone(codes)
        }}
      />
    </Dialog>
  )
}

function NewPasskeyForm({
  onCancel,
  onDone,
}: {
  onCancel: () => void
  onDone: (codes: readonly string[] | null) => void
}) {
  return (
    <NameForm
      start={deviceName(navigator.userAgent)}
      hint="Helps you recognise this passkey."
      button="Add passkey"
      busyText="Waiting for your browser..."
      onCancel={onCancel}
      send={async (name) => {
        const { ticket, options } = await api(beginPasskey, {})
        return api(addPasskey, { body: { ticket, credential: await makePasskey(options), name } })
      }}
      onDone={({ recovery_codes }) => onDone(recovery_codes)}
    />
  )
}

/** @param passkey null: it is closed. */
export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey | null; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <Dialog open={passkey !== null} onClose={onClose} title="Rename passkey">
      {passkey !== null && (
        <NameForm
          start={passkey.name}
          button="Save"
          busyText="Saving..."
          onCancel={onClose}
          send={(name) => api(renamePasskey, { params: { id: passkey.id }, body: { name } })}
          onDone={(changed) => {
            client.setQueryData(passkeysQuery.queryKey, (old) =>
              old?.map((one) => (one.id === changed.id ? changed : one)),
            )
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}

interface NameFormProps<T> {
  start: string
  hint?: string
  button: string
  busyText: string
  onCancel: () => void
  send: (name: string) => Promise<T>
  onDone: (reply: T) => void
}

function NameForm<T>({ start, hint, button, busyText, onCancel, send, onDone }: NameFormProps<T>) {
  const { busy, problems, notice, submit } = useFields(['name'], wordsFor)
  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event: FormEvent<HTMLFormElement>) =>
        void submit(event, {
          check: ({ name }) => (name.trim() === '' ? { name: 'Name is required.' } : {}),
          send: ({ name }) => send(name.trim()),
          onDone,
        })
      }
    >
      {problems.text !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{problems.text}</p>
        </Notice>
      )}
      <Field label="Name" hint={hint} error={problems.fields.name}>
        <Input
          aria-required
          data-autofocus
          name="name"
          autoComplete="off"
          defaultValue={start}
          maxLength={limits.nameMax}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" tone="accent" busy={busy} busyText={busyText}>
          {button}
        </Button>
      </div>
    </form>
  )
}

function wordsFor(error: unknown): string {
  return passkeyProblem(error) ?? problemText(error)
}
