import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type ComponentProps, useState } from 'react'
import { IconButton } from './button.tsx'
import { Input } from './field.tsx'

/** A password input with a button that shows the password. `autoComplete` says which password it is. */
export function PasswordInput({
  className = '',
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { autoComplete: 'current-password' | 'new-password' }) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <span className="relative block">
      <Input
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...rest}
        type={shown ? 'text' : 'password'}
        className={`pr-12 ${className}`}
      />
      <IconButton
        // No 'password' in it: that is what the field is called.
        label={shown ? 'Hide password' : 'Show password'}
        className="absolute inset-y-0.5 right-0.5"
        onClick={() => setShown(!shown)}
      >
        <Icon className="size-5" />
      </IconButton>
    </span>
  )
}
