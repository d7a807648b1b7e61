import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ComponentProps } from 'react'
import { Field, Input } from '../../../ui/field.tsx'

interface UsernameInputProps extends ComponentProps<typeof Input> {
  error: string | readonly string[] | undefined
}

/** An input for the username of a new account, with a hint about the characters it may have. */
export function UsernameInput({ error, ...input }: UsernameInputProps) {
  return (
    <Field
      label="Username"
      hint={`${limits.usernameMin}–${limits.usernameMax} characters: letters, numbers, dots, dashes or underscores.`}
      error={error}
    >
      <Input
        aria-required
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={limits.usernameMax}
        {...input}
      />
    </Field>
  )
}
