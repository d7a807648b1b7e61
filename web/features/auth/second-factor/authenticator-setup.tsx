import { confirmAuthenticator } from '@reelmark/contract/second-factor.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { DialogFormFooter } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'

interface AuthenticatorSetupProps {
  secret: string
  url: string
  /** Runs when the app is set up, with recovery codes if it is the account's first second factor. */
  onDone: (codes: readonly string[] | null) => void
  onCancel: () => void
}

/** Shows the QR code, the same key to type by hand, and a field for the first code of the app. */
export function AuthenticatorSetup({ secret, url, onDone, onCancel }: AuthenticatorSetupProps) {
  const form = useApiForm(confirmAuthenticator, {
    fields: ['verification_code'],
    validate: ({ verification_code: code }) =>
      code.trim() === '' ? { verification_code: 'Enter the 6-digit code.' } : {},
    toInput: ({ verification_code: code }) => ({ body: { verification_code: code.replace(/\s/g, '') } }),
    onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
  })
  return (
    <form {...form.props} className="flex flex-col gap-6 pt-1">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <div className="flex flex-col items-center gap-5 sm:flex-row sm:items-start">
        <QrCode text={url} label="QR code for your authenticator app" />
        <div className="flex min-w-0 flex-1 flex-col items-start gap-3 self-stretch text-14">
          <p className="font-medium text-ink">Can't scan it?</p>
          <p className="text-quiet">
            <a href={url} className="font-medium text-accent-ink underline underline-offset-4">
              Open your app
            </a>
            , or enter this key manually:
          </p>
          <p className="w-full rounded-control border border-line bg-sunken px-3 py-2 font-mono text-14 wrap-anywhere">
            {groupCharacters(secret)}
          </p>
          <CopyButton size="sm" text={secret} label="Copy the key" />
        </div>
      </div>
      <Field
        label="Code from the app"
        hint="The 6-digit code changes every 30 seconds."
        error={form.fieldErrors.verification_code}
      >
        <Input
          aria-required
          data-autofocus
          name="verification_code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          className="max-w-48 font-mono tracking-[0.2em]"
        />
      </Field>
      <DialogFormFooter submit="Turn on" busy={form.busy} busyText="Checking..." onCancel={onCancel} />
    </form>
  )
}

/** Returns the key in groups of four characters, which are easier to type. */
function groupCharacters(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? ''
}
