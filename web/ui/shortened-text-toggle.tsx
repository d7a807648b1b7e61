import { type RefObject, useEffect, useState } from 'react'

interface ShortenedTextToggleProps {
  text: RefObject<HTMLElement | null>
  what: string
}

/** The button of a shortened text, if lines of it are hidden. Its target covers both lines; links in the text are above it. */
export function ShortenedTextToggle({ text, what }: ShortenedTextToggleProps) {
  const [isOpen, setOpen] = useState(false)
  const [isCut, setCut] = useState(false)
  // Runs after every render: another text of the same height does not call the observer.
  useEffect(() => {
    const element = text.current
    if (element === null) return
    element.toggleAttribute('data-open', isOpen)
    if (isOpen) return
    const observer = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight + 1))
    observer.observe(element)
    return () => observer.disconnect()
  })
  if (!isCut) return null
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      className={`font-medium text-ink underline underline-offset-4 ${isOpen ? 'touch-target' : 'absolute inset-x-0 -inset-y-0.5 flex items-end justify-end pb-0.5'}`}
      onClick={() => setOpen(!isOpen)}
    >
      <span className={isOpen ? '' : 'bg-surface pl-2'}>
        {isOpen ? 'less' : 'more'}
        <span className="sr-only"> of the {what}</span>
      </span>
    </button>
  )
}
