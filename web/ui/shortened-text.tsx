import { type ComponentProps, useRef } from 'react'
import { useDeferredComponent } from './use-deferred-component.ts'

const loadToggle = () => import('./shortened-text-toggle.tsx').then((module) => module.ShortenedTextToggle)

interface ShortenedTextProps extends ComponentProps<'p'> {
  /** What is shown or hidden, for the name of the button: 'description'. */
  what: string
}

/** A paragraph of which phones show two lines, with `more` at their end. Its button is loaded after the page is shown. */
export function ShortenedText({ what, className = '', ...rest }: ShortenedTextProps) {
  const text = useRef<HTMLParagraphElement>(null)
  const Toggle = useDeferredComponent(true, loadToggle)
  return (
    <div className="relative min-w-0">
      <p {...rest} ref={text} className={`shortened ${className}`} />
      {Toggle !== null && <Toggle text={text} what={what} />}
    </div>
  )
}
