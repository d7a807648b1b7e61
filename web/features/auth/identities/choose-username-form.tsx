import * as limits from '@reelmark/contract/protocol/limits.ts'
import { isApiError } from '../../../shared/errors/api-error.ts'
import { useApiForm } from '../../../shared/forms/use-api-form.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { loginErrorMessage } from '../accounts/login-error.ts'
import { signUpWithOidc } from '../accounts/sign-in-methods.ts'
import { SignUpTerms } from '../accounts/sign-up-terms.tsx'

interface ChooseUsernameFormProps {
  ticket: string
  suggested: string
  /** The address reported by the identity provider. */
  email: string
  remember: boolean
  onDone: () => void
  /** The ticket expired, or the account cannot be created at all. */
  onFailed: (error: unknown) => void
}

/** Asks a new user who signs up through an identity provider for a username. */
export function ChooseUsernameForm({
  ticket,
  suggested,
  email,
  remember,
  onDone,
  onFailed,
}: ChooseUsernameFormProps) {
  const input = useAutofocus<HTMLInputElement>()
  const form = useApiForm((username: string) => signUpWithOidc(ticket, username, remember), {
    fields: ['username'],
    validate: ({ username }) => (username.trim() === '' ? { username: 'Username is required.' } : {}),
    toInput: ({ username }) => username.trim(),
    onSuccess: onDone,
    onError(error) {
      const cannotSignUp = (['ticket-expired', 'email-taken', 'identity-taken'] as const).some((name) =>
        isApiError(error, name),
      )
      if (cannotSignUp) onFailed(error)
      return cannotSignUp
    },
    errorText: loginErrorMessage,
  })

  return (
    <form {...form.props} className="flex flex-col gap-5">
      <ErrorNotice ref={form.notice} text={form.errorText} />
      <Field
        label="Username"
        hint={`${limits.usernameMin} to ${limits.usernameMax} letters, digits, dots, dashes or underscores.`}
        error={form.fieldErrors.username}
      >
        <Input
          ref={input}
          aria-required
          name="username"
          defaultValue={suggested}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={limits.usernameMax}
        />
      </Field>
      <p className="text-14 text-quiet">
        Your email: <span className="font-medium wrap-anywhere text-ink">{email}</span>
      </p>
      <SignUpTerms />
      <Button type="submit" tone="accent" size="lg" busy={form.busy} busyText="Creating your account...">
        Sign up
      </Button>
    </form>
  )
}
