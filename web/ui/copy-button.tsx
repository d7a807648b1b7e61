import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { type ComponentProps, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'

interface CopyButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'children'> {
  text: string
  /** Text of the button, for example 'Copy' or 'Copy the secret'. */
  label?: string
}

/** Copies a text to the clipboard and shows for two seconds whether it worked. */
export function CopyButton({ text, label = 'Copy', ...rest }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  useEffect(() => {
    if (state === 'ready') return
    const timer = setTimeout(() => setState('ready'), 2_000)
    return () => clearTimeout(timer)
  }, [state])
  const Icon = state === 'copied' ? Check : Copy
  return (
    <Button
      {...rest}
      onClick={(event) => {
        void copyText(text, event.currentTarget).then((done) => setState(done ? 'copied' : 'failed'))
      }}
    >
      <Icon className="size-4" />
      <span aria-live="polite">
        {state === 'ready' ? label : state === 'copied' ? 'Copied' : 'Copy failed'}
      </span>
    </Button>
  )
}
