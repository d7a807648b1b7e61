import { useEffect, useState } from 'react'

/** A value once it has stayed the same for `ms`: what is asked for while somebody types is asked for once. */
export function useDebouncedValue<T>(value: T, ms: number): T {
  const [debounced, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return debounced
}
