import { useEffect, useRef } from 'react'

/** Keys belong to the field one types in, and to the browser when a modifier is held. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true
  const target = event.target
  return (
    target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog') !== null
  )
}

/** While the component is there, single keys of the page do something: `{ l: like }`. */
export function usePageKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || isTyping(event)) return
      const run = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined
      if (run === undefined) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
