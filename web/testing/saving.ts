import type { Collection } from '@reelmark/contract/collections.ts'
import type { Extraction } from '@reelmark/contract/extraction.ts'

const channel = (id: number, name: string) => ({
  id,
  name,
  description: '',
  imageUrl: null,
  bookmarks_count: 0,
})
const collection = (id: number, name: string, channels: Collection['channels']): Collection => ({
  id,
  name,
  description: '',
  access: 'public',
  display_image_url: null,
  bookmarks_count: 0,
  channels,
})

/** One with a single channel, one with two, one with none. */
export const threeCollections: Collection[] = [
  collection(1, 'My Vault', [channel(11, 'General')]),
  collection(2, 'Films', [channel(21, 'Shorts'), channel(22, 'Blender')]),
  collection(3, 'Loose', []),
]

export function pageOfCollections(results = threeCollections) {
  return { count: results.length, next: null, previous: null, results }
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
    tags: [],
  },
  suggested_tags: ['animation', 'rabbit'],
  channel_name: null,
  partial: false,
  warnings: [],
}
