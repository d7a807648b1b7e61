import { describe, expect, it } from 'vitest'
import { sampleBookmark } from '../../testing/sample-bookmark.ts'
import { bookmarkTitle } from '../bookmarks/bookmark-title.ts'
import { bookmarkHead, videoObject } from './bookmark-head.ts'

const { video } = sampleBookmark

describe("a bookmark's title", () => {
  it("falls back to the video's, then to the description, then to 'Untitled Bookmark'", () => {
    expect(bookmarkTitle(sampleBookmark)).toBe('Sintel')
    expect(bookmarkTitle({ ...sampleBookmark, title: ' ' })).toBe('Sintel, open movie')
    const untitled = { ...sampleBookmark, title: '', video: { ...video, title: '' } }
    expect(bookmarkTitle(untitled)).toBe('A girl looks for her dragon.')
    expect(bookmarkTitle({ ...untitled, description: '' })).toBe('Untitled Bookmark')
  })
})

describe("a bookmark's head", () => {
  it('has a preview with the thumbnail, on this site', () => {
    const { meta, links } = bookmarkHead(sampleBookmark, 'https://reelmark.example')
    expect(meta).toContainEqual({
      property: 'og:image',
      content: 'https://reelmark.example/media/thumbnails/9-large.webp',
    })
    expect(links).toEqual([{ rel: 'canonical', href: 'https://reelmark.example/bookmarks/7' }])
  })

  it('shows no adult thumbnail in previews or to search engines', () => {
    const adult = { ...sampleBookmark, video: { ...video, orientation: 'bi' as const } }
    const all = JSON.stringify([
      bookmarkHead(adult, 'https://r.example'),
      videoObject(adult, 'https://r.example'),
    ])
    expect(all).not.toContain('/media/')
    expect(videoObject(adult, 'https://r.example').isFamilyFriendly).toBe(false)
  })

  it('labels adult videos', () => {
    const adult = {
      ...sampleBookmark,
      title: 'Word '.repeat(30),
      video: { ...video, orientation: 'bi' as const },
    }
    const { meta } = bookmarkHead(adult, 'https://r.example')
    expect(meta).toContainEqual({ name: 'rating', content: 'RTA-5042-1996-1400-1577-RTA' })
    const title = meta.find((tag) => 'property' in tag && tag.property === 'og:title')
    expect(title).toMatchObject({ content: expect.stringMatching(/^Word .{70,95}… \(18\+\)$/) })
    expect(JSON.stringify(bookmarkHead(sampleBookmark, 'https://r.example'))).not.toMatch(/18\+|RTA/)
  })

  it('excludes private and hidden bookmarks from search engines', () => {
    const robots = { name: 'robots', content: 'noindex, follow' }
    expect(bookmarkHead(sampleBookmark, 'https://r.example').meta).not.toContainEqual(robots)
    expect(bookmarkHead({ ...sampleBookmark, is_public: false }, 'https://r.example').meta).toContainEqual(
      robots,
    )
    const hidden = { ...sampleBookmark, video: { ...video, status: 'hidden' as const } }
    expect(bookmarkHead(hidden, 'https://r.example').meta).toContainEqual(robots)
  })
})
