import { useEffect, useState } from 'react'
import { browser } from '../browser.ts'

const storageKey = 'draft'

interface Draft<Values> {
  url: string
  values: Partial<Values>
}

/**
 * Returns what the user changed in the form for an address, and a function that changes it. Popups close as soon as they
 * lose the focus, so the changes stay stored until the browser ends. `null` removes them.
 */
export function useDraft<Values>(url: string) {
  const [values, setValues] = useState<Partial<Values> | undefined>()
  useEffect(() => {
    void browser.storage.session.get(storageKey).then((found) => {
      const draft = found[storageKey] as Draft<Values> | undefined
      setValues(draft?.url === url ? draft.values : {})
    })
  }, [url])

  function change(changes: Partial<Values> | null): void {
    const next = changes === null ? {} : { ...values, ...changes }
    setValues(next)
    if (changes === null) void browser.storage.session.remove(storageKey)
    else void browser.storage.session.set({ [storageKey]: { url, values: next } satisfies Draft<Values> })
  }

  return { values, change }
}
