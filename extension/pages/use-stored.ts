import { useEffect, useState } from 'react'
import { readStored, type Stored, watchStored } from '../stored.ts'

/** Returns a stored value and follows its changes; undefined until it is read. */
export function useStored<Key extends keyof Stored>(key: Key): Stored[Key] | undefined {
  const [value, setValue] = useState<Stored[Key]>()
  useEffect(() => {
    void readStored(key).then(setValue)
    return watchStored(key, setValue)
  }, [key])
  return value
}
