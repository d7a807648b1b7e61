import { Check, Copy } from 'lucide-react'
import { type ComponentProps, useEffect, useState } from 'react'
import { Button } from './button.tsx'

interface CopyButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'children'> {
  text: string
  /** What it says and is called: 'Copy', 'Copy the secret'. */
  label?: string
}

/** Puts a text on the clipboard, and says for two seconds that it did, or that it could not. */
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
        void copy(text, event.currentTarget).then((done) => setState(done ? 'copied' : 'failed'))
      }}
    >
      <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />
      <span aria-live="polite">
        {state === 'ready' ? label : state === 'copied' ? 'Copied' : 'Could not copy'}
      </span>
    </Button>
  )
}

/** A page that came over plain HTTP has no clipboard of its own; there the old way works. */
async function copy(text: string, beside: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.readOnly = true
    area.className = 'sr-only'
    // Inside an open dialog everything else is inert, and cannot be selected.
    beside.after(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    beside.focus()
    return done
  }
}
