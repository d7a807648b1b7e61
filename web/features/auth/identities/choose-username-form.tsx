import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { errorBody, isApiError } from '../../../shared/errors/api-error.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { loginErrorMessage } from '../accounts/login-error.ts'
import { signUpWithOidc } from '../accounts/sign-in-methods.ts'
import { SignUpTerms } from '../accounts/sign-up-terms.tsx'

interface ChooseUsernameFormProps {
  ticket: string
  suggested: string
  /** What the other site knows them by. */
  email: string
  remember: boolean
  onDone: () => void
  /** The ticket is over, or the account cannot be made at all. */
  onFailed: (error: unknown) => void
}

/** The one thing that another site cannot say of somebody who is new here. */
export function ChooseUsernameForm({
  ticket,
  suggested,
  email,
  remember,
  onDone,
  onFailed,
}: ChooseUsernameFormProps) {
  const [busy, setBusy] = useState(false)
  const [fieldProblems, setFieldProblems] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const input = useAutofocus<HTMLInputElement>()
  const notice = useRef<HTMLDivElement>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem('username') as HTMLInputElement
    const username = field.value.trim()
    setProblem(null)
    setFieldProblems(username === '' ? ['Username is required.'] : [])
    if (username === '') return field.focus()
    setBusy(true)
    try {
      await signUpWithOidc(ticket, username, remember)
      onDone()
    } catch (error) {
      const isOver = (['ticket-expired', 'email-taken', 'identity-taken'] as const).some((name) =>
        isApiError(error, name),
      )
      if (isOver) return onFailed(error)
      const named = errorTexts(errorBody(error).username)
      // Shown before the focus goes there.
      flushSync(() => {
        setBusy(false)
        setFieldProblems(named)
        setProblem(named.length > 0 ? null : loginErrorMessage(error))
      })
      const focusRef = named.length > 0 ? field : notice.current
      focusRef?.focus()
    }
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      {problem !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      <Field
        label="Username"
        hint={`${limits.usernameMin} to ${limits.usernameMax} letters, digits, dots, dashes or underscores.`}
        error={fieldProblems}
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
      <Button type="submit" tone="accent" size="lg" busy={busy} busyText="Creating your account...">
        Sign up
      </Button>
    </form>
  )
}
