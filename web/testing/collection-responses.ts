import type { Collection } from '@reelmark/contract/collections.ts'
import type { Extraction } from '@reelmark/contract/extraction.ts'
import type { FakeAnswer, FakeRequest } from './fake-api.ts'

const testChannel = (id: number, name: string) => ({
  id,
  name,
  description: '',
  imageUrl: null,
  image_orientation: null,
  cover_images: [],
  bookmarks_count: 0,
})
const testCollection = (id: number, name: string, channels: Collection['channels']): Collection => ({
  id,
  name,
  description: '',
  access: 'public',
  display_image_url: null,
  display_image_orientation: null,
  cover_images: [],
  bookmarks_count: 0,
  channels,
})

/** Three collections: with one channel, with two and with none. */
export const threeCollections: Collection[] = [
  testCollection(1, 'My Vault', [testChannel(11, 'General')]),
  testCollection(2, 'Films', [testChannel(21, 'Shorts'), testChannel(22, 'Blender')]),
  testCollection(3, 'Loose', []),
]

export function collectionsPage(results = threeCollections) {
  return { count: results.length, next: null, previous: null, results }
}

/** Answers the requests that forms make besides saving: own collections, existing bookmarks of the link, tags. */
export function answerSupportingRequests(
  { path }: FakeRequest,
  {
    saved = [],
    others = null,
    tags = [],
  }: { saved?: unknown[]; others?: unknown; tags?: readonly string[] } = {},
): FakeAnswer {
  if (path.startsWith('/collections/')) return [200, collectionsPage()]
  if (path.startsWith('/bookmarks/saved/')) return [200, { bookmarks: saved, others }]
  if (!path.startsWith('/tags/')) return [200, {}]
  const q = new URLSearchParams(path.split('?')[1]).get('q') ?? ''
  const results = tags
    .filter((name) => name.startsWith(q))
    .map((name, index) => ({ id: index + 1, name, uses_count: 9 - index }))
  return [200, { count: results.length, next: null, previous: null, results }]
}

export const bigBuckBunny: Extraction = {
  video: {
    source_url: 'https://video.example/watch/bbb',
    title: 'Big Buck Bunny',
    description: 'A rabbit takes revenge.',
    thumbnail_url: 'https://img.example/bbb.jpg',
    embed_url: 'https://player.example/bbb',
    orientation: 'sfw',
    shape: 'landscape',
    duration: 596,
    width: 1920,
    height: 1080,
    provider: 'example',
    uploader_name: null,
    uploader_url: null,
    tags: [],
  },
  suggested_tags: ['animation', 'rabbit'],
  channel_name: null,
  uploader_destination: null,
  player: 'other',
  start_seconds: null,
  pictures: [],
  partial: false,
  warnings: [],
}
