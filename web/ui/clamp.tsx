import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'

interface ClampProps {
  /** The class that limits the lines, for example `line-clamp-3`. */
  lines: string
  /** What is shown or hidden, for the name of the button: 'title'. */
  what: string
  children: ReactNode
}

/** Shows the first lines of a long text, with a button to show all of it. */
export function Clamp({ lines, what, children }: ClampProps) {
  const text = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [isCut, setCut] = useState(false)
  useEffect(() => {
    const element = text.current
    if (element === null || isOpen) return
    const measure = () => setCut(element.scrollHeight > element.clientHeight + 1)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [isOpen])
  return (
    <div className="min-w-0">
      <div ref={text} className={isOpen ? '' : lines}>
        {children}
      </div>
      {(isCut || isOpen) && (
        <Button
          tone="quiet"
          size="sm"
          className="-ml-3"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show more'}
          <span className="sr-only"> of the {what}</span>
        </Button>
      )}
    </div>
  )
}
