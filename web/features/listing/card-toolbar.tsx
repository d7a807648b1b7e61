import { type KeyboardEvent, useState } from 'react'
import type { IconComponent } from '../../ui/icon.ts'

export interface CardAction {
  label: string
  /** The key that runs it while the focus is on the card. */
  keys?: string
  Icon: IconComponent
  /** Whether it is in effect, for example that the video is liked. */
  on?: boolean
  isFilled?: boolean
  run: (button: HTMLElement) => void
}

const buttonClass =
  'flex size-9 items-center justify-center rounded-control bg-picture-shade transition-colors hover:bg-black [&_svg]:size-[18px]'

/** The actions on the thumbnail of a card, as a toolbar, which is one stop in the tab order. */
export function CardToolbar({ label, actions }: { label: string; actions: readonly CardAction[] }) {
  const [focusedIndex, setFocusedIndex] = useState(0)

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const targets: Record<string, number> = {
      ArrowRight: focusedIndex + 1,
      ArrowLeft: focusedIndex - 1,
      Home: 0,
      End: -1,
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    const next = (target + actions.length) % actions.length
    setFocusedIndex(next)
    const button = event.currentTarget.children[next]
    if (button instanceof HTMLElement) button.focus()
  }

  return (
    <div
      role="toolbar"
      aria-label={label}
      className="invisible absolute top-2 right-2 flex max-w-[calc(100%-16px)] flex-wrap justify-end gap-1 opacity-0 transition-opacity group-focus-within:visible group-hover:visible group-has-focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:hidden"
      onKeyDown={onKeyDown}
    >
      {actions.map(({ label, keys, Icon, on = false, isFilled = false, run }, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: the actions never change.
          key={index}
          type="button"
          aria-label={label}
          title={label}
          aria-keyshortcuts={keys}
          tabIndex={index === focusedIndex ? 0 : -1}
          className={`${buttonClass} ${on ? 'text-accent' : 'text-picture-ink'}`}
          onFocus={() => setFocusedIndex(index)}
          onClick={(event) => run(event.currentTarget)}
        >
          <Icon className={isFilled ? 'fill-current' : ''} />
        </button>
      ))}
    </div>
  )
}
