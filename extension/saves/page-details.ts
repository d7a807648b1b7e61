/** What a tab shows: its address, title, keywords, and where its video is. */
import { splitTags } from '@reelmark/contract/bookmarks.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { browser } from '../browser.ts'

export interface PageDetails {
  tabId: number | null
  url: string
  title: string
  /** Tags to suggest, from the keywords of the page. */
  keywords: string[]
  /** Where the video is now, in seconds. Null: the page has none, or it is at its beginning. */
  seconds: number | null
}

/** What the script in a frame of the page returns. */
export interface FrameDetails {
  /** As the page describes itself for link previews. */
  previewTitle: string
  keywords: string
  videos: { seconds: number; area: number; isPlaying: boolean }[]
}

/** Reads the active tab of the window. The click on the toolbar icon allows it for this tab. */
export async function readActiveTab(): Promise<PageDetails> {
  const [tab] = await browser.tabs.query({ active: true, currentWindow: true })
  if (tab?.id === undefined) return { tabId: null, url: '', title: '', keywords: [], seconds: null }
  const frames = await readFrames(tab.id)
  return { tabId: tab.id, url: tab.url ?? '', ...describePage(tab.title ?? '', frames) }
}

/** Returns nothing for pages in which browsers allow no scripts, such as their own. */
async function readFrames(tabId: number): Promise<FrameDetails[]> {
  try {
    const target = { tabId, allFrames: true }
    const results = await browser.scripting.executeScript({ target, func: collectFrameDetails })
    const ordered = results.toSorted((a, b) => a.frameId - b.frameId)
    return ordered.flatMap(({ result }) => (result ? [result] : []))
  } catch {
    return []
  }
}

/** Runs in the page, and must not refer to anything outside itself. */
export function collectFrameDetails(): FrameDetails {
  const contents = (selector: string) =>
    [...document.querySelectorAll<HTMLMetaElement>(selector)].map(({ content }) => content)
  const isKnown = ({ currentTime, duration }: HTMLVideoElement) =>
    Number.isFinite(currentTime) && Number.isFinite(duration)
  return {
    previewTitle: contents('meta[property="og:title"]')[0] ?? '',
    keywords: contents('meta[name="keywords"], meta[property="og:video:tag"]').join(',').slice(0, 1000),
    videos: [...document.querySelectorAll('video')].filter(isKnown).map((video) => ({
      seconds: Math.floor(video.currentTime),
      area: video.clientWidth * video.clientHeight,
      isPlaying: !video.paused && !video.ended,
    })),
  }
}

/** @param frames that of the page first */
export function describePage(tabTitle: string, frames: readonly FrameDetails[]) {
  const [page] = frames
  // Pages that replace their content without a new document often describe an earlier one.
  const isCurrent = page !== undefined && page.previewTitle !== '' && tabTitle.includes(page.previewTitle)
  const keywords = isCurrent ? splitTags(page.keywords.toLowerCase()) : []
  const [video] = frames
    .flatMap(({ videos }) => videos)
    .toSorted((a, b) => Number(b.isPlaying) - Number(a.isPlaying) || b.area - a.area)
  return {
    title: isCurrent ? page.previewTitle : tabTitle,
    keywords: [...new Set(keywords)]
      .filter((tag) => tag.length <= limits.tagMax)
      .slice(0, limits.suggestedTagsMax),
    seconds: video !== undefined && video.seconds > 0 ? video.seconds : null,
  }
}
