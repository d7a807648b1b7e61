/** Creates a listener set for state outside React; `subscribe` fits `useSyncExternalStore`. */
export function createListeners(): { subscribe: (listener: () => void) => () => void; notify: () => void } {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify() {
      // Iterate over a copy: a listener may unsubscribe or subscribe while it runs.
      for (const listener of [...listeners]) listener()
    },
  }
}
