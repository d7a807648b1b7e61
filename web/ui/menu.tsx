import Ellipsis from 'lucide-react/icons/ellipsis'
import { type KeyboardEvent, type ReactNode, type ToggleEvent, useId, useRef } from 'react'
import { IconButton } from './button.tsx'

export interface MenuItem {
  label: string
  icon?: ReactNode
  /** Marks a destructive action. */
  danger?: boolean
  /** For items that only narrow windows show. They come last. */
  className?: string
  onSelect: () => void
}

interface MenuProps {
  /** The accessible name, for example 'More about mara'. */
  label: string
  items: readonly MenuItem[]
  size?: 'sm' | 'md'
  /** `plain` has a border, for use beside buttons that have one. */
  tone?: 'quiet' | 'plain'
  className?: string
  onOpenChange?: (isOpen: boolean) => void
}

/** Size in px that a menu may need. Without that room below the button, it opens above or to the other side. */
const height = 200
const width = 240

/**
 * Makes the browser focus the item as part of opening the menu. The toggle event comes later: until then a second key
 * press would reach the button and close the menu. React has no property for this attribute: its `autoFocus` only
 * focuses an element when it is mounted.
 */
function markFirstItem(item: HTMLButtonElement) {
  item.setAttribute('autofocus', '')
  return () => item.removeAttribute('autofocus')
}

/**
 * A button with three dots that opens a menu. It uses the browser's popover, which lies above everything, closes on
 * Escape or a click outside and restores the focus. Arrow keys, Home and End move the focus (ARIA APG, menu button).
 */
export function Menu({ label, items, size = 'md', tone = 'quiet', className = '', onOpenChange }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()

  function position(): void {
    if (menu.current === null || button.current === null) return
    const { top, right, bottom, left } = button.current.getBoundingClientRect()
    const { clientWidth, clientHeight } = document.documentElement
    const isBelow = bottom + height < clientHeight || top < height
    const isLeft = right >= width || left + width > clientWidth
    Object.assign(menu.current.style, {
      top: isBelow ? `${bottom + 4}px` : 'auto',
      bottom: isBelow ? 'auto' : `${clientHeight - top + 4}px`,
      right: isLeft ? `${clientWidth - right}px` : 'auto',
      left: isLeft ? 'auto' : `${left}px`,
    })
  }

  function onToggle({ newState }: ToggleEvent<HTMLDivElement>): void {
    const isOpen = newState === 'open'
    button.current?.setAttribute('aria-expanded', String(isOpen))
    onOpenChange?.(isOpen)
    if (!isOpen) return
    // The menu has a fixed position, so it would lose its button when the page scrolls.
    addEventListener('scroll', close, { once: true, passive: true })
  }

  function close(): void {
    menu.current?.hidePopover()
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const menuItems = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')].filter(
      (item) => item.checkVisibility?.() ?? true,
    )
    const current = menuItems.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: -1 }[event.key]
    if (event.key === 'Tab') close()
    if (next === undefined) return
    event.preventDefault()
    menuItems.at(next === menuItems.length ? 0 : next)?.focus()
  }

  return (
    <>
      <IconButton
        ref={button}
        label={label}
        tone={tone}
        size={size}
        className={className}
        aria-haspopup="menu"
        aria-expanded="false"
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          menu.current?.showPopover()
        }}
      >
        <Ellipsis className="size-5" />
      </IconButton>
      <div
        ref={menu}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        onBeforeToggle={position}
        onToggle={onToggle}
        onKeyDown={onKeyDown}
        className="fixed m-0 max-w-[calc(100vw-16px)] min-w-48 rounded-card border border-line bg-raised p-1 text-ink"
      >
        {items.map((item, index) => (
          <button
            ref={index === 0 ? markFirstItem : null}
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={`flex h-10 w-full items-center gap-3 rounded-control px-3 text-left text-14 font-medium hover:bg-hover focus-visible:bg-hover pointer-coarse:h-11 [&_svg]:size-4.5 [&_svg]:shrink-0 ${item.danger ? 'text-danger' : ''} ${item.className ?? ''}`}
            onClick={() => {
              close()
              item.onSelect()
            }}
          >
            {item.icon}
            <span className="truncate">{item.label}</span>
          </button>
        ))}
      </div>
    </>
  )
}
