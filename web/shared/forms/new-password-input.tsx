import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ComponentProps } from 'react'
import { Field } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'

interface NewPasswordInputProps extends Omit<ComponentProps<typeof PasswordInput>, 'autoComplete'> {
  label: string
  name: string
  error: string | readonly string[] | undefined
}

/** An input for a new password, with a hint about good passwords. */
export function NewPasswordInput({ label, error, ...input }: NewPasswordInputProps) {
  return (
    <Field
      label={label}
      hint={`At least ${limits.passwordMin} characters. A few random words make a strong password.`}
      error={error}
    >
      <PasswordInput aria-required autoComplete="new-password" maxLength={limits.passwordMax} {...input} />
    </Field>
  )
}
