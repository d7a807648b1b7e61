import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { errorBody, isApiError } from '../../../shared/errors/api-error.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { AlternativeSignIn, PasskeyButton } from '../accounts/alternative-sign-in.tsx'
import { loginErrorMessage, passkeyErrorMessage } from '../accounts/login-error.ts'
import type { PendingLogin } from '../accounts/login-page.tsx'
import { type SecondStep, signInWithCode, signInWithPasskey } from '../accounts/sign-in-methods.ts'
import { isPasskeyCancelled, requestPasskey, usePasskeySupport } from '../passkeys/passkey-sign-in.ts'

type Method = SecondStep['methods'][number]
type CodeMethod = Exclude<Method, 'passkey'>

interface SecondStepProps extends PendingLogin {
  signInAndGo: (attempt: () => Promise<void>) => Promise<void>
  /** To the password; with why, where it was not the person who wanted it. */
  onBack: (why: string | null) => void
  /** To an empty form. */
  onRestart: () => void
}

/** The second step of a login: a code of the authenticator app, a passkey, or one of the recovery codes. */
export function SecondStepForm({
  ticket,
  methods,
  remember,
  signInAndGo,
  onBack,
  onRestart,
}: SecondStepProps) {
  const canUsePasskeys = usePasskeySupport()
  const offered = methods.filter((item) => item !== 'passkey' || canUsePasskeys)
  const [shown, setShown] = useState<Method | undefined>(offered[0])
  const [busy, setBusy] = useState<'code' | 'passkey' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [codeProblem, setCodeProblem] = useState<readonly string[]>([])
  /** What was typed stays while one looks at another way. */
  const [codes, setCodes] = useState<Record<CodeMethod, string>>({ authenticator: '', recovery_code: '' })
  const notice = useRef<HTMLDivElement>(null)
  const others = offered.filter((item) => item !== shown)

  /** Tries, and shows what went wrong before the focus goes there. */
  async function attempt(
    kind: 'code' | 'passkey',
    signIn: () => Promise<void>,
    errorText: (error: unknown) => { problem: string | null; code?: string[] },
    focusRef: () => HTMLElement | null,
  ) {
    setBusy(kind)
    setProblem(null)
    setCodeProblem([])
    try {
      await signIn()
    } catch (error) {
      if (isApiError(error, 'ticket-expired')) return onBack(loginErrorMessage(error))
      const fieldErrors = errorText(error)
      flushSync(() => {
        setBusy(null)
        setProblem(fieldErrors.problem)
        setCodeProblem(fieldErrors.code ?? [])
      })
      const to = fieldErrors.problem === null ? focusRef() : notice.current
      to?.focus()
      if (to instanceof HTMLInputElement) to.select()
    }
  }

  function logInByCode(code: string, field: HTMLInputElement) {
    return attempt(
      'code',
      () => signInAndGo(() => signInWithCode(ticket, code, remember)),
      (error) => {
        const code = errorTexts(errorBody(error).verification_code)
        return { problem: code.length > 0 ? null : loginErrorMessage(error), code }
      },
      () => field,
    )
  }

  function logInByPasskey(button: HTMLButtonElement) {
    return attempt(
      'passkey',
      async () => {
        const answer = await requestPasskey({ ticket })
        await signInAndGo(() => signInWithPasskey(answer, remember))
      },
      (error) => ({ problem: isPasskeyCancelled(error) ? null : passkeyErrorMessage(error) }),
      () => button,
    )
  }

  function show(method: Method) {
    setShown(method)
    setProblem(null)
    setCodeProblem([])
  }

  return (
    <div className="flex flex-col gap-5">
      {problem !== null && (
        <Notice ref={notice} tone="danger" urgent>
          <p>{problem}</p>
        </Notice>
      )}
      {shown === undefined && (
        <Notice tone="info">
          <p>Your account uses a passkey, which this browser doesn't support. Try a different browser.</p>
        </Notice>
      )}
      {shown === 'passkey' && (
        <PasskeyStep busy={busy === 'passkey'} disabled={busy !== null} onPress={logInByPasskey} />
      )}
      {shown !== undefined && shown !== 'passkey' && (
        <CodeStep
          key={shown}
          method={shown}
          value={codes[shown]}
          problems={codeProblem}
          busy={busy === 'code'}
          disabled={busy !== null}
          onChange={(value) => setCodes({ ...codes, [shown]: value })}
          onProblem={(text) => setCodeProblem([text])}
          onSubmit={logInByCode}
        />
      )}
      {others.length > 0 && (
        <AlternativeSignIn>
          {others.map((method) =>
            method === 'passkey' ? (
              <PasskeyButton
                key={method}
                busy={busy === 'passkey'}
                disabled={busy !== null}
                onClick={(event) => void logInByPasskey(event.currentTarget)}
              >
                Use a passkey
              </PasskeyButton>
            ) : (
              <Button key={method} size="lg" disabled={busy !== null} onClick={() => show(method)}>
                {codeSteps[method].offer}
              </Button>
            ),
          )}
        </AlternativeSignIn>
      )}
      <p className="flex flex-wrap justify-between gap-x-6 text-14">
        <button type="button" className={`${textLinkClass} py-2.5`} onClick={() => onBack(null)}>
          Back
        </button>
        <button type="button" className={`${textLinkClass} py-2.5`} onClick={onRestart}>
          Start again
        </button>
      </p>
    </div>
  )
}

const codeSteps: Record<
  CodeMethod,
  { offer: string; label: string; hint: string; missing: string; isComplete: (code: string) => boolean }
> = {
  authenticator: {
    offer: 'Use your authenticator app',
    label: 'Authenticator code',
    hint: 'Enter the 6-digit code from your authenticator app.',
    missing: 'Enter a 6-digit code.',
    isComplete: (code) => /^\d{6}$/.test(code.replace(/[\s-]/g, '')),
  },
  recovery_code: {
    offer: 'Use a recovery code',
    label: 'Recovery code',
    hint: 'Enter one of your saved recovery codes. Each code works once.',
    missing: 'Enter a recovery code.',
    isComplete: (code) => code.trim() !== '',
  },
}

interface CodeStepProps {
  method: CodeMethod
  value: string
  problems: readonly string[]
  busy: boolean
  disabled: boolean
  onChange: (value: string) => void
  /** What can be said without the server. */
  onProblem: (text: string) => void
  onSubmit: (code: string, field: HTMLInputElement) => Promise<void>
}

function CodeStep({ method, value, problems, busy, disabled, onChange, onProblem, onSubmit }: CodeStepProps) {
  const input = useAutofocus<HTMLInputElement>()
  const { label, hint, missing, isComplete } = codeSteps[method]

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const field = input.current
    if (field === null) return
    if (isComplete(value)) return void onSubmit(value.trim(), field)
    onProblem(missing)
    field.focus()
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field label={label} hint={hint} error={problems}>
        <Input
          ref={input}
          aria-required
          name="code"
          maxLength={50}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          {...(method === 'authenticator'
            ? {
                inputMode: 'numeric',
                autoComplete: 'one-time-code',
                className: 'text-20 tracking-[0.2em] tabular-nums',
              }
            : { autoComplete: 'off' })}
        />
      </Field>
      <Button type="submit" tone="accent" size="lg" busy={busy} busyText="Logging in..." disabled={disabled}>
        Log in
      </Button>
    </form>
  )
}

interface PasskeyStepProps {
  busy: boolean
  disabled: boolean
  onPress: (button: HTMLButtonElement) => Promise<void>
}

function PasskeyStep({ busy, disabled, onPress }: PasskeyStepProps) {
  const button = useAutofocus<HTMLButtonElement>()
  return (
    <PasskeyButton
      ref={button}
      tone="accent"
      busy={busy}
      disabled={disabled}
      onClick={(event) => void onPress(event.currentTarget)}
    >
      Use a passkey
    </PasskeyButton>
  )
}
