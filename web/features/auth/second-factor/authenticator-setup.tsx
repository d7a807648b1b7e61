import { confirmAuthenticator } from '@reelmark/contract/second-factor.ts'
import { api } from '../../../shared/api/api.ts'
import { useFormFields } from '../../../shared/forms/use-form-fields.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'

interface AuthenticatorSetupProps {
  secret: string
  url: string
  /** It is set up; recovery codes where these are the first. */
  onDone: (codes: readonly string[] | null) => void
  onCancel: () => void
}

/** The code to scan, the same to type by hand, and the first code of the app, which proves that it arrived. */
export function AuthenticatorSetup({ secret, url, onDone, onCancel }: AuthenticatorSetupProps) {
  const { busy, problems, notice, submit } = useFormFields(['verification_code'])
  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-6 pt-1"
      onSubmit={(event) =>
        void submit(event, {
          check: ({ verification_code: code }) =>
            code.trim() === '' ? { verification_code: 'Enter the 6-digit code.' } : {},
          send: ({ verification_code: code }) =>
            api(confirmAuthenticator, { body: { verification_code: code.replace(/\s/g, '') } }),
          onDone: ({ recovery_codes }) => onDone(recovery_codes),
        })
      }
    >
      {problems.text !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{problems.text}</p>
        </Notice>
      )}
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
            {groupDigits(secret)}
          </p>
          <CopyButton size="sm" text={secret} label="Copy the key" />
        </div>
      </div>
      <Field
        label="Code from the app"
        hint="The 6-digit code changes every 30 seconds."
        error={problems.fields.verification_code}
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
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" tone="accent" busy={busy} busyText="Checking...">
          Turn on
        </Button>
      </div>
    </form>
  )
}

/** In fours, as one reads it from one screen and types it on another. */
export function groupDigits(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? ''
}
