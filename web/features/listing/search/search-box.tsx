import { type ComponentProps, type ComponentType, useRef, useState } from 'react'
import { SearchField } from '../../../ui/search-field.tsx'
import type { SearchAssistProps } from './search-assist.tsx'

/** A search field. Suggestions and the help for its operators are loaded when it gets the focus. */
export function SearchBox({ className = '', ...field }: ComponentProps<typeof SearchField>) {
  const box = useRef<HTMLSpanElement>(null)
  const [Assist, setAssist] = useState<ComponentType<SearchAssistProps> | null>(null)
  // If it cannot be loaded, for example offline, searching works without it, and the next focus tries again.
  const load = () =>
    void import('./search-assist.tsx').then(
      (module) => setAssist(() => module.SearchAssist),
      () => undefined,
    )
  return (
    <span ref={box} className={`search-box ${className}`}>
      <SearchField {...field} onFocus={load} className="flex-1" />
      {Assist !== null && <Assist box={box} />}
    </span>
  )
}
