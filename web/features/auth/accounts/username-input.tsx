import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ComponentProps } from 'react'
import { Field, Input } from '../../../ui/field.tsx'

interface UsernameInputProps extends ComponentProps<typeof Input> {
  error: string | readonly string[] | undefined
  label?: string
}

/** An input for a username that the user chooses, with a hint about the characters it may have. */
export function UsernameInput({ error, label = 'Username', ...input }: UsernameInputProps) {
  return (
    <Field
      label={label}
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
