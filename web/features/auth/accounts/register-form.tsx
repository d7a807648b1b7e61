import { type Registration, register, registrationProblems } from '@reelmark/contract/accounts.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link, useHydrated } from '@tanstack/react-router'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { NewPasswordInput } from '../../../shared/forms/new-password-input.tsx'
import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import { signInWithPassword } from '../../../shared/session/sign-in.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { ChallengeProgress } from '../challenge/challenge-progress.tsx'
import { ChallengeFailed, type ChallengeState, withChallenge } from '../challenge/with-challenge.ts'
import { AlternativeSignIn, ContinueWithProviderButton, useOidcProviderName } from './alternative-sign-in.tsx'
import { SignUpTerms } from './sign-up-terms.tsx'
import { UsernameInput } from './username-input.tsx'

type FieldName = keyof Registration
const fieldNames: readonly FieldName[] = ['username', 'email', 'password', 'password2']

const fieldLabels: Partial<Record<string, string>> = {
  username: 'Username',
  email: 'Email',
  password: 'Password',
  password2: 'Confirm Password',
}

interface RegisterErrors {
  /** Found in the browser, each shown at its field. */
  fields: Partial<Record<FieldName, string>>
  /** From the server, shown as one list above the form. */
  texts: string[]
  /** The fields that the server named. */
  named: readonly FieldName[]
}

const noErrors: RegisterErrors = { fields: {}, texts: [], named: [] }

interface RegisterFormProps {
  redirect: string | undefined
  /** Runs before the request is sent. */
  onSubmit: () => void
  /** Runs when the account exists. `signedIn` tells whether the login that follows succeeded. */
  onDone: (signedIn: boolean) => void
}

export function RegisterForm({ redirect, onSubmit, onDone }: RegisterFormProps) {
  /** The progress of the challenge, in percent; null while none is being solved. */
  const [solved, setSolved] = useState<number | null>(null)
  const challengeState = useRef<ChallengeState>({})
  const abortController = useRef<AbortController>(null)
  useEffect(() => () => abortController.current?.abort(), [])
  const [errors, setErrors] = useState(noErrors)
  const form = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const noticeId = useId()
  const oidcName = useOidcProviderName()
  const hydrated = useHydrated()
  const field = (name: FieldName) => form.current?.elements.namedItem(name) as HTMLInputElement

  const registration = useApiMutation(
    async (values: Registration) => {
      abortController.current = new AbortController()
      await withChallenge((solved) => api(register, { body: { ...values, ...solved } }), {
        challengeState: challengeState.current,
        signal: abortController.current.signal,
        onProgress: setSolved,
      })
      return signInWithPassword(values.username, values.password, true).then(
        () => true,
        () => false,
      )
    },
    {
      onSuccess: onDone,
      onError(error) {
        const registerErrors = registerErrorsFromServer(error)
        // Renders the errors first, because the focus may move to them.
        flushSync(() => {
          setErrors(registerErrors)
          setSolved(null)
        })
        const named = registerErrors.named[0]
        const target = named === undefined ? notice.current : field(named)
        target?.focus()
      },
    },
  )

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const values: Registration = {
      username: field('username').value.trim(),
      email: field('email').value.trim(),
      password: field('password').value,
      password2: field('password2').value,
    }
    const fields = registrationProblems(values)
    const firstInvalid = fieldNames.find((name) => fields[name] !== undefined)
    setErrors({ ...noErrors, fields })
    if (firstInvalid !== undefined) return field(firstInvalid).focus()
    onSubmit()
    void registration.run(values)
  }

  const invalidProps = (name: FieldName) =>
    errors.named.includes(name) ? ({ 'aria-invalid': true, 'aria-describedby': noticeId } as const) : {}

  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="visitors-only flex flex-col gap-5">
      {errors.texts.length > 0 && (
        <Notice ref={notice} id={noticeId} tone="danger" urgent title="Registration error:">
          <ul className="flex list-disc flex-col gap-1 pl-4">
            {errors.texts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
      <UsernameInput error={errors.fields.username} {...invalidProps('username')} />
      <Field label="Email" error={errors.fields.email}>
        <Input
          aria-required
          name="email"
          type="email"
          autoComplete="email"
          maxLength={limits.emailMax}
          {...invalidProps('email')}
        />
      </Field>
      <NewPasswordInput
        label="Password"
        name="password"
        error={errors.fields.password}
        {...invalidProps('password')}
      />
      <Field label="Confirm Password" error={errors.fields.password2}>
        <PasswordInput
          aria-required
          name="password2"
          autoComplete="new-password"
          maxLength={limits.passwordMax}
          {...invalidProps('password2')}
        />
      </Field>
      <SignUpTerms />
      <ChallengeProgress solved={solved} />
      <Button
        type="submit"
        tone="accent"
        size="lg"
        busy={registration.busy}
        busyText="Creating your account..."
        disabled={!hydrated}
      >
        Sign up
      </Button>
      {oidcName !== null && (
        <AlternativeSignIn>
          <ContinueWithProviderButton
            name={oidcName}
            disabled={!hydrated || registration.busy}
            redirectState={() => ({ intent: 'login', redirect, remember: true })}
            onProblem={(text) => setErrors({ ...noErrors, texts: text === null ? [] : [text] })}
          />
        </AlternativeSignIn>
      )}
      <p className="text-14 text-quiet">
        Already have an account?{' '}
        <Link to="/login" search={redirect === undefined ? {} : { redirect }} className={textLinkClass}>
          Log in
        </Link>
      </p>
    </form>
  )
}

function registerErrorsFromServer(error: unknown): RegisterErrors {
  if (error instanceof ChallengeFailed) return { ...noErrors, texts: [error.message] }
  const body = isCallError(error) ? error.body : null
  const problems = body !== null && typeof body === 'object' ? body : {}
  const named = fieldNames.filter((name) => name in problems)
  // The list names the field of each text.
  const ofFields = Object.entries(problems).flatMap(([name, problem]) => {
    const label = fieldLabels[name]
    return errorTexts({ [name]: problem }).map((text) => (label === undefined ? text : `${label}: ${text}`))
  })
  const texts = [...new Set(ofFields.length > 0 ? ofFields : errorTexts(body))]
  return { fields: {}, texts: texts.length > 0 ? texts : ['Registration failed. Please try again.'], named }
}
