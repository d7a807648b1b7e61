import { type ComponentProps, type ComponentType, useRef, useState } from 'react'
import { SearchField } from '../../../ui/search-field.tsx'
import type { SearchAssistProps } from './search-assist.tsx'

/** A search field for bookmarks. Help for its operators is loaded when the field gets the focus. */
export function SearchBox({ className = '', ...field }: ComponentProps<typeof SearchField>) {
  const box = useRef<HTMLSpanElement>(null)
  const [Assist, setAssist] = useState<ComponentType<SearchAssistProps> | null>(null)
  const [isHelpOpen, setHelpOpen] = useState(false)
  // If it cannot be loaded, for example offline, searching works without it, and the next focus tries again.
  const load = () =>
    void import('./search-assist.tsx').then(
      (module) => setAssist(() => module.SearchAssist),
      () => undefined,
    )
  return (
    <span ref={box} className={`relative flex min-w-0 ${className}`}>
      <SearchField {...field} onFocus={load} className="flex-1 [&_input]:pr-11" />
      <button
        type="button"
        aria-label="Search help"
        aria-haspopup="dialog"
        title="Search help"
        className="absolute inset-y-0 right-0 w-11 rounded-control text-16 font-medium text-quiet hover:text-ink"
        onClick={() => {
          load()
          setHelpOpen(true)
        }}
      >
        ?
      </button>
      {Assist !== null && <Assist box={box} isHelpOpen={isHelpOpen} onHelpClose={() => setHelpOpen(false)} />}
    </span>
  )
}
