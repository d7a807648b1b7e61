import type { CollectionPage } from '@reelmark/contract/collections.ts'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { listingQuery } from '../listing/queries.ts'
import { type Container, containerFromCollection } from './container.ts'
import { collectionPageObject, containerHead } from './container-head.ts'

const collection: CollectionPage = {
  id: 4,
  name: 'Films',
  description: '',
  access: 'public',
  display_image_url: '/media/adult.webp',
  display_image_orientation: 'bi',
  cover_images: [{ url: '/media/adult.webp', orientation: 'bi' }],
  total_duration: null,
  updated_at: '2026-01-01T00:00:00Z',
  share_image_url: '/media/fit-large.webp',
  cover_bookmark_id: null,
  list_order: 'newest',
  bookmarks_count: 1200,
  channels: [],
  user: { id: 7, username: 'mara', avatar_url: '/media/default.jpg', is_verified: false },
  is_owner: false,
  is_followed: false,
  followers_count: 0,
  created_at: '2026-01-01T00:00:00Z',
}
const site = 'https://reelmark.example'
const queryClient = new QueryClient()
const head = (container: Container, page?: number) =>
  containerHead(container, { search: { page }, context: { publicUrl: site, queryClient } })
const robots = { name: 'robots', content: 'noindex, follow' }

describe("a collection's head", () => {
  it('names the owner and the number of bookmarks, at one canonical address', () => {
    const { meta, links } = head(containerFromCollection(collection))
    expect(meta).toContainEqual({ title: 'Films by mara · Reelmark' })
    expect(meta).toContainEqual({
      name: 'description',
      content: '1,200 bookmarks saved by mara on Reelmark.',
    })
    expect(links).toEqual([{ rel: 'canonical', href: 'https://reelmark.example/collections/4' }])
    expect(meta).not.toContainEqual(robots)
    expect(head(containerFromCollection(collection), 3).links[0]?.href).toMatch(/\/collections\/4\?page=3$/)
  })

  it('shows a picture fit for everyone in previews, or the site’s icon', () => {
    const previewData = (container: CollectionPage) => {
      const headAndData = JSON.stringify([
        head(containerFromCollection(container)),
        collectionPageObject(containerFromCollection(container), [], site),
      ])
      expect(headAndData).not.toContain('adult')
      return headAndData
    }
    expect(previewData(collection)).toContain('https://reelmark.example/media/fit-large.webp')
    expect(previewData({ ...collection, share_image_url: null })).not.toContain('/media/')
  })

  it('is labelled if it lists adult videos', () => {
    const label = { name: 'rating', content: 'RTA-5042-1996-1400-1577-RTA' }
    const listing = (orientation: string) => {
      queryClient.setQueryData(listingQuery({ collection: 4 }).queryKey, {
        results: [{ orientation }],
      } as never)
    }
    listing('sfw')
    expect(head(containerFromCollection(collection)).meta).not.toContainEqual(label)
    listing('gay')
    expect(head(containerFromCollection(collection)).meta).toContainEqual(label)
  })

  it('excludes private collections from search engines', () => {
    const container = containerFromCollection({ ...collection, access: 'private' })
    expect(head(container).meta).toContainEqual(robots)
  })
})
