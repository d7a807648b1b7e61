import { searchOperators } from '@reelmark/contract/search-operators.ts'
import X from 'lucide-react/icons/x'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { headerSearchId } from './header-search.tsx'
import { SuggestionList } from './suggestion-list.tsx'

export interface SearchAssistProps {
  /** Contains the search field. */
  box: RefObject<HTMLElement | null>
}

/** What a search field has once it was focused: suggestions while typing, help, and a way back on phones. */
export function SearchAssist({ box }: SearchAssistProps) {
  const [isHelpOpen, setHelpOpen] = useState(false)
  const input = box.current?.querySelector('input')
  return (
    <>
      <button
        type="button"
        aria-label="Search help"
        aria-haspopup="dialog"
        title="Search help"
        className="absolute inset-y-0 right-0 w-11 rounded-control text-16 font-medium text-quiet hover:text-ink"
        onClick={() => setHelpOpen(true)}
      >
        ?
      </button>
      {input?.id === headerSearchId && <CloseButton />}
      <SearchHelp box={box} open={isHelpOpen} onClose={() => setHelpOpen(false)} />
      {input && <SuggestionList input={input} />}
    </>
  )
}

/** Leaves the field of the header, which covers the header on phones while it has the focus. */
function CloseButton() {
  return (
    <IconButton
      label="Close search"
      className="absolute top-1/2 left-full -translate-y-1/2 @min-[46rem]:hidden"
      // Otherwise the button would get the focus and the field could disappear before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      }}
    >
      <X className="size-5" />
    </IconButton>
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
    const position = () => {
      if (box.current === null) return
      const { left, bottom, width } = box.current.getBoundingClientRect()
      const { clientWidth } = document.documentElement
      const shown = Math.min(Math.max(width, 448), clientWidth - 32)
      Object.assign(element.style, {
        top: `${bottom + 4}px`,
        left: `${Math.max(16, Math.min(left, clientWidth - shown - 16))}px`,
        width: `${shown}px`,
        maxHeight: `calc(100dvh - ${bottom + 12}px)`,
      })
    }
    position()
    element.showPopover()
    element.querySelector('button')?.focus({ preventScroll: true })
    // It has a fixed position, so it would lose its field when the page scrolls.
    const close = () => element.hidePopover()
    addEventListener('scroll', close, { once: true, passive: true })
    // Also when a phone is turned.
    addEventListener('resize', position)
    return () => {
      removeEventListener('scroll', close)
      removeEventListener('resize', position)
    }
  }, [open, box])

  return (
    <div
      ref={popover}
      popover="auto"
      role="dialog"
      aria-labelledby={id}
      // Without the focus inside it, the field of the header is hidden on phones, where its text does not wrap.
      className="@container fixed m-0 min-h-40 overflow-y-auto rounded-card border border-line bg-raised p-4 whitespace-normal text-ink"
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
      <dl className="mt-3 grid gap-x-4 gap-y-2 text-14 @min-[20rem]:grid-cols-[auto_minmax(0,1fr)]">
        {searchOperators.map(({ operator, example, meaning }) => (
          <div key={operator} className="contents">
            <dt>
              <code className="rounded-chip bg-sunken px-1.5 py-0.5 text-13 whitespace-nowrap">
                {example}
              </code>
            </dt>
            <dd className="text-quiet @max-[20rem]:-mt-1">{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
