/**
 * The one player of the site. It belongs to the shell and not to a page, because a frame that is moved in the document
 * loads again: so a video continues while the user browses. Pages offer a stage, over which it is placed.
 */
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useSyncExternalStore } from 'react'
import { createListeners } from '../../../ui/create-listeners.ts'
import type { PlayContext } from '../watching/play-queue.ts'
import type { PlaybackState } from './embedded-players.ts'
import { requestPlay } from './play-request.ts'

export interface NowPlaying {
  bookmark: Bookmark
  title: string
  embedUrl: string
  /** Where the video starts. */
  startSeconds: number
  /** The list that is played. */
  context: PlayContext
  /** Whether it continues in the mini-player when its page is left. */
  canDock: boolean
}

/** Where a page shows the player of a bookmark. */
interface Stage {
  bookmarkId: number
  element: HTMLElement
  onState: (state: PlaybackState) => void
  /** Goes on to another bookmark of the list. */
  goTo: (item: { id: number }) => void
}

const { subscribe, notify } = createListeners()
let playing: NowPlaying | null = null
let stages: readonly Stage[] = []

/** Plays a video instead of the one that is playing. */
export function startVideo(video: NowPlaying): void {
  requestPlay(null)
  playing = video
  notify()
}

/** Changes how the list of the video is played: repeated or in random order. */
export function changeContext(context: PlayContext): void {
  if (playing === null || JSON.stringify(playing.context) === JSON.stringify(context)) return
  playing = { ...playing, context }
  notify()
}

export function stopVideo(): void {
  requestPlay(null)
  if (playing === null) return
  playing = null
  notify()
}

export function getNowPlaying(): NowPlaying | null {
  return playing
}

/** Offers a place for the player; the returned function withdraws it. */
export function offerStage(offered: Stage): () => void {
  stages = [...stages, offered]
  notify()
  return () => {
    stages = stages.filter((stage) => stage !== offered)
    notify()
  }
}

export function useNowPlaying(): NowPlaying | null {
  return useSyncExternalStore(subscribe, getNowPlaying, () => null)
}

/** Returns the stage of the bookmark that is playing; null if no page shows it. */
export function useStage(): Stage | null {
  return useSyncExternalStore(
    subscribe,
    () => stages.find(({ bookmarkId }) => bookmarkId === playing?.bookmark.id) ?? null,
    () => null,
  )
}
