import type { Video } from '@reelmark/contract/bookmarks.ts'

/** Returns whether the player is built from the link, so that another one would not be used. */
export function hasFixedPlayer({ provider, embed_url }: Pick<Video, 'provider' | 'embed_url'>): boolean {
  return provider !== null && embed_url !== null
}
