/** Which player shows a video, told anew at each reading: known hosts' from the parsed id, others' inside our page. */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Bookmark, Video } from '@reelmark/contract/bookmarks.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import type { BookmarkRow } from '../read-bookmark.ts'

/** Longer than a page keeps a bookmark (5 minutes), and the click that follows. */
const linkSeconds = 30 * 60

export interface PlayerContext {
  /** Our own host name: some players must be told who shows them. */
  parentHost: string
  key: KeyObject
  /** Milliseconds since 1970. */
  now: number
}

/** The bookmark as it is answered: with its player. */
export function addPlayer(row: BookmarkRow, setting: PlayerContext): Bookmark {
  const player = choosePlayer(row.video, setting.parentHost)
  return {
    ...row,
    video: { ...row.video, ...player },
    embed_page_url: player.player === 'other' ? embedPageUrl(row, setting) : null,
  }
}

/** @returns `known` only for hosts that are one site each: their addresses are rebuilt here, whatever was stored. */
export function choosePlayer(
  { source_url, embed_url }: Pick<Video, 'source_url' | 'embed_url'>,
  parentHost: string,
): Pick<Video, 'embed_url' | 'player'> {
  for (const link of [source_url, embed_url]) {
    const video = link === null ? null : recogniseVideo(link, { parentHost })
    if (video !== null && video.embed_url !== null) {
      return { embed_url: video.embed_url, player: video.is_single_site ? 'known' : 'other' }
    }
  }
  return { embed_url, player: embed_url === null ? null : 'other' }
}

/** A frame carries no token: for what only some may see the link itself tells that we gave it to one of them. */
function embedPageUrl({ id, is_public, video }: BookmarkRow, { key, now }: PlayerContext): string {
  if (is_public && video.status === 'visible') return `/embed/${id}`
  const expires = Math.floor(now / 1000) + linkSeconds
  return `/embed/${id}?expires=${expires}&key=${signature(key, id, expires)}`
}

/** Whether `key` and `expires` are those of a link that we gave out and that still holds. */
export function isEmbedLink(
  secret: KeyObject,
  { id, expires, key, now }: { id: number; expires: number; key: string; now: number },
): boolean {
  const given = Buffer.from(key, 'base64url')
  const wanted = Buffer.from(signature(secret, id, expires), 'base64url')
  return expires * 1000 > now && given.length === wanted.length && timingSafeEqual(given, wanted)
}

function signature(key: KeyObject, id: number, expires: number): string {
  return createHmac('sha256', key).update(`embed page ${id} until ${expires}`).digest('base64url')
}
