import { searchOperators } from '@reelmark/contract/search-operators.ts'
import X from 'lucide-react/icons/x'
import { type RefObject, useEffect, useId, useRef } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { OperatorList } from './operator-list.tsx'

export interface SearchAssistProps {
  /** Contains the search field. */
  box: RefObject<HTMLElement | null>
  isHelpOpen: boolean
  onHelpClose: () => void
}

/** The help of a search field, and the operators that begin with what is typed. */
export function SearchAssist({ box, isHelpOpen, onHelpClose }: SearchAssistProps) {
  return (
    <>
      <SearchHelp box={box} open={isHelpOpen} onClose={onHelpClose} />
      <OperatorList box={box} />
    </>
  )
}

/** Lists the operators with examples. It uses the browser's popover, which closes on Escape or a click outside. */
function SearchHelp({
  box,
  open,
  onClose,
}: {
  box: RefObject<HTMLElement | null>
  open: boolean
  onClose: () => void
}) {
  const popover = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    const element = popover.current
    if (!open || element === null || box.current === null) return
    const { left, bottom, width } = box.current.getBoundingClientRect()
    const { clientWidth } = document.documentElement
    const shown = Math.min(Math.max(width, 448), clientWidth - 32)
    Object.assign(element.style, {
      top: `${bottom + 4}px`,
      left: `${Math.max(16, Math.min(left, clientWidth - shown - 16))}px`,
      width: `${shown}px`,
      maxHeight: `calc(100dvh - ${bottom + 12}px)`,
    })
    element.showPopover()
    element.querySelector('button')?.focus({ preventScroll: true })
    // It has a fixed position, so it would lose its field when the page scrolls.
    const close = () => element.hidePopover()
    addEventListener('scroll', close, { once: true, passive: true })
    return () => removeEventListener('scroll', close)
  }, [open, box])

  return (
    <div
      ref={popover}
      popover="auto"
      role="dialog"
      aria-labelledby={id}
      className="fixed m-0 min-h-40 overflow-y-auto rounded-card border border-line bg-raised p-4 text-ink"
      onToggle={({ newState }) => newState === 'closed' && onClose()}
    >
      <div className="-mt-2 -mr-2 flex items-center justify-between gap-4">
        <h2 id={id} className="text-16 font-semibold">
          Search help
        </h2>
        <IconButton label="Close" onClick={() => popover.current?.hidePopover()}>
          <X className="size-5" />
        </IconButton>
      </div>
      <p className="mt-1 text-14 text-quiet">
        Every word must match the title, description, tags, owner or site. Narrow a search down with:
      </p>
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-14">
        {searchOperators.map(({ operator, example, meaning }) => (
          <div key={operator} className="contents">
            <dt>
              <code className="rounded-chip bg-sunken px-1.5 py-0.5 text-13 whitespace-nowrap">
                {example}
              </code>
            </dt>
            <dd className="text-quiet">{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
