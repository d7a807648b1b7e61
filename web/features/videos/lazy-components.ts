/** Components for other areas that are loaded when they are first shown. */

export const loadTimedText = () => import('./player/time-controls.tsx').then((module) => module.TimedText)
export const loadQueueOverlay = () =>
  import('./watching/queue-overlay.tsx').then((module) => module.QueueOverlay)
export const loadSkipMissing = () =>
  import('./watching/skip-missing.tsx').then((module) => module.SkipMissing)
export const loadPlayQueuePanel = () =>
  import('./watching/play-queue-panel.tsx').then((module) => module.PlayQueuePanel)
