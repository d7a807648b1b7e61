import { type ComponentType, useEffect, useState } from 'react'

/**
 * Returns a component that is loaded when it is needed, after the page is shown; null until then, and if it cannot be
 * loaded (for example offline). It does not use `lazy`: a suspended boundary next to a page that is still being
 * hydrated makes React render that page again from scratch.
 * @param load must be the same function at every call.
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
