import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

const tabBaseClass =
  'relative inline-flex h-11 shrink-0 pointer-coarse:min-w-11 items-center border-b-2 text-14 font-medium whitespace-nowrap transition-colors focus-visible:rounded-[4px] focus-visible:-outline-offset-1'

/** The row is 4 px wider than the content, for focus outlines; its bottom line has the width of the content. */
const rowLineClass =
  '-mx-1 flex bg-linear-to-r from-line to-line bg-size-[100%_1px] bg-bottom bg-no-repeat bg-origin-content bg-clip-content px-1'
const tabRowClass = `${rowLineClass} gap-6 overflow-x-auto overflow-y-hidden`

/** Returns the classes of a tab, for links: `<Link className={tabClass(false)} activeProps={{ className: … }}>`. */
export function tabClass(active: boolean): string {
  return `${tabBaseClass} ${active ? 'border-accent text-ink' : 'border-transparent text-quiet hover:text-ink'}`
}

/**
 * A row of links that change the content below; each is a `<Link className={tabClass(…)} aria-current>`. If they do not
 * all fit, the row scrolls to the current one, or with `wraps` continues on the next line.
 */
export function LinkTabs({
  label,
  wraps = false,
  children,
}: {
  label: string
  wraps?: boolean
  children: ReactNode
}) {
  const nav = useRef<HTMLElement>(null)
  const shown = useRef<Element | null>(null)
  useEffect(() => {
    const current = nav.current?.querySelector('[aria-current]') ?? null
    if (nav.current === null || current === null || current === shown.current) return
    shown.current = current
    const [box, tab] = [nav.current.getBoundingClientRect(), current.getBoundingClientRect()]
    nav.current.scrollLeft += Math.min(0, tab.left - box.left) + Math.max(0, tab.right - box.right)
  })
  return (
    <nav ref={nav} aria-label={label} className={wraps ? `${rowLineClass} flex-wrap gap-x-6` : tabRowClass}>
      {children}
    </nav>
  )
}

interface TabsProps<Id extends string> {
  label: string
  tabs: readonly { id: Id; label: ReactNode }[]
  value: Id
  onChange: (id: Id) => void
  /** Prefix of the ids of tabs and panels. */
  idBase: string
}

/** Tabs within a page, operated with the arrow keys. Each panel is a `TabPanel` with the same `idBase`. */
export function Tabs<Id extends string>({ label, tabs, value, onChange, idBase }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null)

  function move(event: KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const focusedIndex = tabs.findIndex((tab) => tab.id === value)
    const next = tabs[(focusedIndex + step + tabs.length) % tabs.length]
    if (next === undefined) return
    onChange(next.id)
    list.current?.querySelector<HTMLElement>(`#${idBase}-tab-${next.id}`)?.focus()
  }

  return (
    <div ref={list} role="tablist" aria-label={label} onKeyDown={move} className={tabRowClass}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${idBase}-tab-${tab.id}`}
          aria-selected={tab.id === value}
          aria-controls={`${idBase}-panel-${tab.id}`}
          tabIndex={tab.id === value ? 0 : -1}
          onClick={() => onChange(tab.id)}
          className={tabClass(tab.id === value)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  )
}

/** The content of a tab. Hidden panels stay mounted, so that typed text is not lost. */
export function TabPanel({
  idBase,
  id,
  active,
  children,
}: {
  idBase: string
  id: string
  active: boolean
  children: ReactNode
}) {
  return (
    <div
      role="tabpanel"
      id={`${idBase}-panel-${id}`}
      aria-labelledby={`${idBase}-tab-${id}`}
      hidden={!active}
    >
      {children}
    </div>
  )
}
