import { addPasskey, beginAddingPasskey, type Passkey, renamePasskey } from '@reelmark/contract/passkeys.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { createPasskey, passkeyErrorText } from '../../../shared/session/webauthn.ts'
import { Dialog, DialogFormFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { describeDevice } from '../sessions/device-name.ts'
import { passkeysQuery } from '../settings-queries.ts'

interface NewPasskeyDialogProps {
  open: boolean
  onClose: () => void
  /** With recovery codes if the passkey is the account's first second factor. */
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
    <PasskeyNameForm
      initialName={describeDevice(navigator.userAgent)}
      hint="Helps you recognise this passkey."
      button="Add passkey"
      busyText="Waiting for your browser..."
      onCancel={onCancel}
      send={async (name) => {
        const { ticket, options } = await api(beginAddingPasskey, {})
        return api(addPasskey, { body: { ticket, credential: await createPasskey(options), name } })
      }}
      onDone={({ recovery_codes }) => onDone(recovery_codes)}
    />
  )
}

/** @param passkey null while the dialog is closed. */
export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey | null; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <Dialog open={passkey !== null} onClose={onClose} title="Rename passkey">
      {passkey !== null && (
        <PasskeyNameForm
          initialName={passkey.name}
          button="Save"
          busyText="Saving..."
          onCancel={onClose}
          send={(name) => api(renamePasskey, { params: { id: passkey.id }, body: { name } })}
          onDone={(renamed) => {
            client.setQueryData(passkeysQuery.queryKey, (passkeys) =>
              passkeys?.map((item) => (item.id === renamed.id ? renamed : item)),
            )
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}

interface PasskeyNameFormProps<T> {
  initialName: string
  hint?: string
  button: string
  busyText: string
  onCancel: () => void
  send: (name: string) => Promise<T>
  onDone: (reply: T) => void
}

function PasskeyNameForm<T>({
  initialName,
  hint,
  button,
  busyText,
  onCancel,
  send,
  onDone,
}: PasskeyNameFormProps<T>) {
  const form = useApiForm(send, {
    fields: ['name'],
    validate: ({ name }) => (name.trim() === '' ? { name: 'Name is required.' } : {}),
    toInput: ({ name }) => name.trim(),
    onSuccess: onDone,
    errorText: (error) => passkeyErrorText(error) ?? errorMessage(error),
  })
  return (
    <form {...form.props} className="flex flex-col gap-5 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <Field label="Name" hint={hint} error={form.fieldErrors.name}>
        <Input
          aria-required
          data-autofocus
          name="name"
          autoComplete="off"
          defaultValue={initialName}
          maxLength={limits.nameMax}
        />
      </Field>
      <DialogFormFooter submit={button} busy={form.busy} busyText={busyText} onCancel={onCancel} />
    </form>
  )
}
