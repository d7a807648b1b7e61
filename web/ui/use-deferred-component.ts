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
  const found = useRequiredComponent(enabled, load)
  return found === 'failed' ? null : found
}

type Found<Props> = ComponentType<Props> | 'failed' | null

/** Like `useDeferredComponent`, for parts without which the page does not work: returns 'failed' if it cannot be loaded. */
export function useRequiredComponent<Props = object>(
  enabled: boolean,
  load: () => Promise<ComponentType<Props>>,
): Found<Props> {
  const [found, setFound] = useState<Found<Props>>(null)
  useEffect(() => {
    if (!enabled) return
    void load().then(
      (component) => setFound(() => component),
      () => setFound('failed'),
    )
    // It is loaded again when it is needed again.
    return () => setFound((latest: Found<Props>) => (latest === 'failed' ? null : latest))
  }, [enabled, load])
  return enabled ? found : null
}
