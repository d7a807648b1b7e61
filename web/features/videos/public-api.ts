/** What other areas may import from `videos`. Only re-exports (see web/build/shared-chunks-plugin.ts). */

export { loadUpNext } from './lazy-components.ts'
export { useLike } from './likes/use-like.ts'
export { Player } from './player/player.tsx'
export { useAutoplayNext } from './watching/autoplay-next.ts'
export { PlayAll } from './watching/play-all.tsx'
export { type PlayContext, readPlayContext } from './watching/play-queue.ts'
export { PlayQueuePanel } from './watching/play-queue-panel.tsx'
export { WatchedSettingsPanel } from './watching/settings-panel.tsx'
export { useQueuePlayback } from './watching/use-queue-playback.ts'
export { useWatchLater } from './watching/use-watch-later.ts'
export { WatchActions } from './watching/watch-actions.tsx'
