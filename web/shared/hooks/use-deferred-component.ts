import { type ComponentType, useEffect, useState } from 'react'

/**
 * A component that is fetched when it is wanted, after the page is there; null until then, and where it cannot be
 * fetched (offline: with the next page). No `lazy`: a boundary that waits beside a page that is still being hydrated
 * has React start that page afresh.
 * @param load always the same function.
 */
export function useDeferredComponent<Props = object>(
  enabled: boolean,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> | null {
  const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null)
  useEffect(() => {
    if (!enabled) return
    void load().then(
      (component) => setLoaded(() => component),
      () => undefined,
    )
  }, [enabled, load])
  return enabled ? Loaded : null
}
