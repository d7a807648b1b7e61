/** What other areas may import from `videos`. Only re-exports (see web/build/shared-chunks-plugin.ts). */

export { loadQueueOverlay, loadSkipMissing, loadTimedText } from './lazy-components.ts'
export { useLike } from './likes/use-like.ts'
export { currentTime } from './player/current-time.ts'
export { Player } from './player/player.tsx'
export { PlayAll } from './watching/play-all.tsx'
export { playContextOf } from './watching/play-context.ts'
export { hasNoContext, type PlayContext, readPlayContext } from './watching/play-queue.ts'
export { PlayQueuePanel } from './watching/play-queue-panel.tsx'
export { WatchedSettingsPanel } from './watching/settings-panel.tsx'
export { useQueuePlayback } from './watching/use-queue-playback.ts'
export { useWatchLater } from './watching/use-watch-later.ts'
export { WatchActions } from './watching/watch-actions.tsx'
