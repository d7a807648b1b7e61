import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import { withOembedLinks, withPlayer } from '../../shared/pages/machine-head.ts'
import { pageHead, truncate } from '../../shared/pages/page-head.ts'
import { isoDuration } from '../../ui/duration.ts'
import { bookmarkTitle } from '../bookmarks/public-api.ts'

function describeBookmark(bookmark: Bookmark): string {
  return (
    bookmark.description.trim() ||
    `Video on ${bookmark.video.host}, saved by ${bookmark.user.username} on Reelmark.`
  )
}

function bookmarkThumbnail({ video }: Bookmark): string | null {
  return isAdult(video.orientation) ? null : (video.thumbnail_large_url ?? video.thumbnail_url)
}

/** Returns the head of a bookmark's page. Previews of an adult video show text only and label it as adult. */
export function bookmarkHead(bookmark: Bookmark, publicUrl: string) {
  const adult = isAdult(bookmark.video.orientation)
  const head = pageHead({
    title: truncate(bookmarkTitle(bookmark), adult ? 94 : 100) + (adult ? ' (18+)' : ''),
    adult,
    description: describeBookmark(bookmark),
    publicUrl,
    path: `/bookmarks/${bookmark.id}`,
    image: bookmarkThumbnail(bookmark),
    type: 'video.other',
    unlisted: !bookmark.is_public || bookmark.video.status !== 'visible',
  })
  return import.meta.env.SSR ? withEmbedding(head, bookmark, publicUrl) : head
}

/** Adds what other sites need to embed a public bookmark: its oEmbed description, and a player that works on every site. */
function withEmbedding(
  head: ReturnType<typeof pageHead>,
  { id, is_public, video }: Bookmark,
  publicUrl: string,
) {
  if (!is_public || video.status !== 'visible') return head
  const linked = withOembedLinks(head, publicUrl, `/bookmarks/${id}`)
  const { embed_url, player, orientation } = video
  // Players that must know the page they are on (`parent`) work on this site only.
  const isEmbeddable =
    !isAdult(orientation) && player === 'known' && embed_url !== null && !/[?&]parent=/.test(embed_url)
  return isEmbeddable ? withPlayer(linked, { ...video, embed_url }) : linked
}

/** Returns the structured data of a video for search engines: schema.org's VideoObject. */
export function videoObject(bookmark: Bookmark, publicUrl: string): Record<string, unknown> {
  const { video } = bookmark
  const picture = bookmarkThumbnail(bookmark)
  return {
    '@context': 'https://schema.org',
    '@type': 'VideoObject',
    name: bookmarkTitle(bookmark),
    description: describeBookmark(bookmark),
    url: `${publicUrl}/bookmarks/${bookmark.id}`,
    uploadDate: bookmark.created_at,
    isFamilyFriendly: !isAdult(video.orientation),
    keywords: bookmark.tags.map((tag) => tag.name).join(', '),
    ...(picture === null ? {} : { thumbnailUrl: [new URL(picture, publicUrl).href] }),
    ...(video.embed_url === null ? {} : { embedUrl: video.embed_url }),
    ...(video.duration === null ? {} : { duration: isoDuration(video.duration) }),
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: { '@type': 'LikeAction' },
      userInteractionCount: video.likes_count,
    },
  }
}
