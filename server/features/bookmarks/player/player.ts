/** Chooses the player of a video for each response: known hosts' is rebuilt from the parsed id, others' is in our embed page. */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Bookmark, Video } from '@reelmark/contract/bookmarks.ts'
import { findPlayerHost } from '@reelmark/contract/player-hosts.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import type { BookmarkRow } from '../read-bookmark.ts'

/** How the URL of the embed page names the time to start at; the page passes it on to the player. */
const embedPageStart = 't={seconds}'

/** How long a signed embed link is valid: longer than clients cache a bookmark (5 minutes). */
const linkSeconds = 30 * 60

export interface PlayerContext {
  /** Host name of this site, which some players require as a parameter. */
  parentHost: string
  key: KeyObject
  /** Milliseconds since 1970. */
  now: number
}

/** Returns the bookmark of a response, with its player. */
export function addPlayer(row: BookmarkRow, context: PlayerContext): Bookmark {
  const player = choosePlayer(row.video, context.parentHost)
  return {
    ...row,
    video: { ...row.video, ...player, shape: shapeOf(row.video.shape, player.embed_url) },
    embed_page_url: player.player === 'other' ? embedPageUrl(row, context) : null,
  }
}

/** Returns the shape of a video. Without a known size, it is that of the host's videos. */
function shapeOf(shape: Video['shape'], embedUrl: string | null): Video['shape'] {
  if (shape !== 'unknown' || embedUrl === null) return shape
  return findPlayerHost(embedUrl).shape ?? shape
}

/** Returns whether a player is a video file, which our embed page plays itself. */
export function isVideoFile(embedUrl: string): boolean {
  return /\.(mp4|m4v|webm|ogv|mov)$/i.test(new URL(embedUrl).pathname)
}

/** Returns the player of a video: `known` only for hosts that are a single site, whose player URLs are rebuilt here. */
export function choosePlayer(
  { source_url, embed_url }: Pick<Video, 'source_url' | 'embed_url'>,
  parentHost: string,
): Pick<Video, 'embed_url' | 'player' | 'start_parameter'> {
  for (const link of [source_url, embed_url]) {
    const video = link === null ? null : recogniseVideo(link, { parentHost })
    if (video !== null && video.embed_url !== null) {
      const { embed_url, start_parameter } = video
      if (video.is_single_site) return { embed_url, player: 'known', start_parameter }
      return { embed_url, player: 'other', start_parameter: start_parameter === null ? null : embedPageStart }
    }
  }
  if (embed_url === null) return { embed_url, player: null, start_parameter: null }
  return { embed_url, player: 'other', start_parameter: isVideoFile(embed_url) ? embedPageStart : null }
}

/** Returns the URL of the embed page. A frame sends no token, so the link to a non-public bookmark is signed. */
function embedPageUrl({ id, is_public, video }: BookmarkRow, { key, now }: PlayerContext): string {
  if (is_public && video.status === 'visible') return `/embed/${id}`
  const expires = Math.floor(now / 1000) + linkSeconds
  return `/embed/${id}?expires=${expires}&key=${signature(key, id, expires)}`
}

/** Returns whether `key` and `expires` are from a link that this server signed and that has not expired. */
export function isEmbedLink(
  secret: KeyObject,
  { id, expires, key, now }: { id: number; expires: number; key: string; now: number },
): boolean {
  const actual = Buffer.from(key, 'base64url')
  const expected = Buffer.from(signature(secret, id, expires), 'base64url')
  return expires * 1000 > now && actual.length === expected.length && timingSafeEqual(actual, expected)
}

function signature(key: KeyObject, id: number, expires: number): string {
  return createHmac('sha256', key).update(`embed page ${id} until ${expires}`).digest('base64url')
}
