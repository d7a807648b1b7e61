import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { type FormEvent, useRef, useState } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { errorBody, isApiError } from '../../../shared/errors/api-error.ts'
import { useAutofocus } from '../../../shared/hooks/use-autofocus.ts'
import { textLinkClass } from '../../../shared/pages/account-page.tsx'
import { isPasskeyCancelled, usePasskeySupport } from '../../../shared/session/webauthn.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorNotice } from '../../../ui/error-notice.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { AlternativeSignIn, PasskeyButton } from '../accounts/alternative-sign-in.tsx'
import { loginErrorMessage, passkeyErrorMessage } from '../accounts/login-error.ts'
import { type SecondStep, signInWithCode, signInWithPasskey } from '../accounts/sign-in-methods.ts'
import { requestPasskey } from '../passkeys/passkey-sign-in.ts'

type Method = SecondStep['methods'][number]
type CodeMethod = Exclude<Method, 'passkey'>

interface SecondStepProps extends SecondStep {
  remember: boolean
  signInAndGo: (attempt: () => Promise<void>) => Promise<void>
  /** Returns to the first step, with the reason unless the user chose to. */
  onBack: (reason: string | null) => void
  /** Returns to an empty first step. */
  onRestart: () => void
}

/** The second step of a login: a code from the authenticator app, a passkey or a recovery code. */
export function SecondStepForm({
  ticket,
  methods,
  remember,
  signInAndGo,
  onBack,
  onRestart,
}: SecondStepProps) {
  const canUsePasskeys = usePasskeySupport()
  const availableMethods = methods.filter((item) => item !== 'passkey' || canUsePasskeys)
  const [method, setMethod] = useState<Method | undefined>(availableMethods[0])
  const [problem, setProblem] = useState<string | null>(null)
  const [codeProblem, setCodeProblem] = useState<readonly string[]>([])
  /** Keeps the input of each method while another one is shown. */
  const [codes, setCodes] = useState<Record<CodeMethod, string>>({ authenticator: '', recovery_code: '' })
  const notice = useRef<HTMLDivElement>(null)
  const otherMethods = availableMethods.filter((item) => item !== method)

  /** Shows the errors, then moves the focus to the notice, or to `control` without a notice. */
  function showErrors(
    error: unknown,
    errors: { problem: string | null; code?: string[] },
    control: HTMLElement,
  ) {
    if (isApiError(error, 'ticket-expired')) return onBack(loginErrorMessage(error))
    setProblem(errors.problem)
    setCodeProblem(errors.code ?? [])
    // Waits for the next render: until then the notice is missing and the button is disabled.
    setTimeout(() => {
      const target = errors.problem === null ? control : notice.current
      target?.focus()
      if (target instanceof HTMLInputElement) target.select()
    })
  }

  const codeLogin = useApiMutation(
    ({ code }: { code: string; field: HTMLInputElement }) =>
      signInAndGo(() => signInWithCode(ticket, code, remember)),
    {
      onError(error, { field }) {
        const code = errorTexts(errorBody(error).verification_code)
        showErrors(error, { problem: code.length > 0 ? null : loginErrorMessage(error), code }, field)
      },
    },
  )
  const passkeyLogin = useApiMutation(
    async (_button: HTMLButtonElement) => {
      const passkey = await requestPasskey({ ticket })
      await signInAndGo(() => signInWithPasskey(passkey, remember))
    },
    {
      onError: (error, button) =>
        showErrors(error, { problem: isPasskeyCancelled(error) ? null : passkeyErrorMessage(error) }, button),
    },
  )
  const isSubmitting = codeLogin.busy || passkeyLogin.busy

  function resetErrors() {
    setProblem(null)
    setCodeProblem([])
  }
  function logInByCode(code: string, field: HTMLInputElement) {
    resetErrors()
    void codeLogin.run({ code, field })
  }
  function logInByPasskey(button: HTMLButtonElement) {
    resetErrors()
    void passkeyLogin.run(button)
  }

  function show(method: Method) {
    setMethod(method)
    resetErrors()
  }

  return (
    <div className="flex flex-col gap-5">
      <ErrorNotice ref={notice} text={problem} />
      {method === undefined && (
        <Notice tone="info">
          <p>Your account uses a passkey, which this browser doesn't support. Try a different browser.</p>
        </Notice>
      )}
      {method === 'passkey' && (
        <PasskeyStep busy={passkeyLogin.busy} disabled={isSubmitting} onPress={logInByPasskey} />
      )}
      {method !== undefined && method !== 'passkey' && (
        <CodeStep
          key={method}
          method={method}
          value={codes[method]}
          problems={codeProblem}
          busy={codeLogin.busy}
          disabled={isSubmitting}
          onChange={(value) => setCodes({ ...codes, [method]: value })}
          onProblem={(text) => setCodeProblem([text])}
          onSubmit={logInByCode}
        />
      )}
      {otherMethods.length > 0 && (
        <AlternativeSignIn>
          {otherMethods.map((method) =>
            method === 'passkey' ? (
              <PasskeyButton
                key={method}
                busy={passkeyLogin.busy}
                disabled={isSubmitting}
                onClick={(event) => logInByPasskey(event.currentTarget)}
              >
                Use a passkey
              </PasskeyButton>
            ) : (
              <Button key={method} size="lg" disabled={isSubmitting} onClick={() => show(method)}>
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
  /** Reports an error found in the browser. */
  onProblem: (text: string) => void
  onSubmit: (code: string, field: HTMLInputElement) => void
}

function CodeStep({ method, value, problems, busy, disabled, onChange, onProblem, onSubmit }: CodeStepProps) {
  const input = useAutofocus<HTMLInputElement>()
  const { label, hint, missing, isComplete } = codeSteps[method]

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const field = input.current
    if (field === null) return
    if (isComplete(value)) return onSubmit(value.trim(), field)
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
  onPress: (button: HTMLButtonElement) => void
}

function PasskeyStep({ busy, disabled, onPress }: PasskeyStepProps) {
  const button = useAutofocus<HTMLButtonElement>()
  return (
    <PasskeyButton
      ref={button}
      tone="accent"
      busy={busy}
      disabled={disabled}
      onClick={(event) => onPress(event.currentTarget)}
    >
      Use a passkey
    </PasskeyButton>
  )
}
