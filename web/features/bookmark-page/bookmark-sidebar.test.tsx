import type { Bookmark, Video } from '@reelmark/contract/bookmarks.ts'
import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { registerSignInDialog } from '../../shared/session/use-require-sign-in.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleBookmark } from '../../testing/sample-bookmark.ts'
import { BookmarkError } from './bookmark-error.tsx'
import { BookmarkSidebar } from './bookmark-sidebar.tsx'
import { BookmarkSummary } from './bookmark-summary.tsx'

beforeEach(() => {
  resetBrowser()
  fakeApi(() => 'offline')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const Details = ({ bookmark }: { bookmark: Bookmark }) => (
  <>
    <BookmarkSummary bookmark={bookmark} />
    <BookmarkSidebar bookmark={bookmark} />
  </>
)

const renderSidebar = (changes: Partial<Bookmark> = {}, video: Partial<Video> = {}) =>
  renderPage(
    <Details bookmark={{ ...sampleBookmark, ...changes, video: { ...sampleBookmark.video, ...video } }} />,
  )
const linkTarget = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href')

describe('the details of a bookmark', () => {
  it('show the description and tags, which lead to Explore', async () => {
    await renderSidebar({
      description: '  A girl,\nand her dragon.  ',
      tags: [
        { id: 1, name: 'open movie' },
        { id: 2, name: 'c++' },
      ],
    })
    expect(screen.getByText(/A girl,/).textContent).toBe('A girl,\nand her dragon.')
    const tags = within(screen.getByRole('list', { name: 'Tags' })).getAllByRole('link')
    expect(tags.map((tag) => [tag.textContent, tag.getAttribute('href')])).toEqual([
      ['open movie', '/explore?tag=open+movie'],
      ['c++', '/explore?tag=c%2B%2B'],
    ])
  })

  it('lead their owner from a tag to the own bookmarks with it', async () => {
    await renderSidebar({ is_owner: true, tags: [{ id: 1, name: 'open movie' }] })
    expect(linkTarget('open movie')).toBe('/users/mara?tag=open+movie')
  })

  it.each([
    ['sfw', 'Orientation: SFW'],
    ['trans', 'Orientation: trans'],
  ] as const)('name the orientation %s', async (orientation, text) => {
    await renderSidebar({}, { orientation })
    expect(screen.getByText(text)).toBeTruthy()
  })

  it('name the uploader, with links to their videos here and to their page', async () => {
    await renderSidebar(
      {},
      { uploader_name: 'The "B" Team', uploader_url: 'https://www.youtube.com/@b', host: 'youtube.com' },
    )
    expect(linkTarget('The "B" Team')).toBe('/explore?q=channel%3A%22The+B+Team%22&host=youtube.com')
    expect(linkTarget(/Channel on youtube.com/)).toBe('https://www.youtube.com/@b')
    cleanup()
    await renderSidebar({}, { uploader_name: 'Mara' })
    expect(screen.queryByRole('link', { name: /Channel on/ })).toBeNull()
    cleanup()
    await renderSidebar()
    expect(screen.queryByText('Uploaded by')).toBeNull()
  })

  it('say that the video is gone, since when, and where else to look for it', async () => {
    const found = {
      id: 3,
      title: 'Sintel',
      host: 'vimeo.com',
      user_username: 'kim',
      orientation: 'sfw',
      thumbnail_url: null,
    }
    fakeApi(({ path }) =>
      path === '/bookmarks/7/other-sources/'
        ? [200, { count: 1, next: null, previous: null, results: [found] }]
        : [404, {}],
    )
    await renderSidebar({}, { is_missing: true, missing_since: '2026-03-02T12:00:00Z' })
    expect(screen.getByText('Gone from youtube.com')).toBeTruthy()
    expect(await screen.findByText(/^Gone since .*2026/)).toBeTruthy()
    expect((await screen.findByRole('link', { name: 'vimeo.com' })).getAttribute('href')).toBe('/bookmarks/3')
    expect(screen.getByText('saved by kim')).toBeTruthy()
    expect(linkTarget(/^Wayback Machine/)).toBe(
      'https://web.archive.org/web/https://www.youtube.com/watch?v=eRsGyueVLvQ',
    )
    expect(linkTarget(/^Search the web/)).toBe('https://duckduckgo.com/?q=%22Sintel%22+video')
  })

  it('say that title and picture were removed, only where they were', async () => {
    await renderSidebar({}, { is_link_only: true })
    expect(screen.getByText(/^The rights holder asked for the title and picture/)).toBeTruthy()
    cleanup()
    await renderSidebar({}, { is_link_only: false })
    expect(screen.queryByText(/rights holder/)).toBeNull()
  })

  it('do not mention checks of a video that is available', async () => {
    await renderSidebar({}, { is_missing: false, missing_since: null })
    expect(screen.queryByText(/gone/i)).toBeNull()
  })

  it('omit missing description, tags and duration', async () => {
    await renderSidebar({ description: ' ', tags: [] }, { duration: null })
    expect(screen.queryByRole('list', { name: 'Tags' })).toBeNull()
    expect(screen.queryByText('Duration')).toBeNull()
  })

  it('link owner, source, collection and channel', async () => {
    await renderSidebar({ channel: { id: 4, name: 'Slow' } })
    expect(linkTarget('mara')).toBe('/users/mara')
    expect(linkTarget(/View on youtube.com/)).toBe('https://www.youtube.com/watch?v=eRsGyueVLvQ')
    expect(linkTarget('My Vault')).toBe('/users/mara?tab=collections&collection=1')
    expect(linkTarget('Slow')).toBe('/users/mara?tab=collections&collection=1&channel=4')
    expect(screen.getByText('14 minutes')).toBeTruthy()
  })

  it('ask visitors to sign in to follow the owner', async () => {
    const askToSignIn = vi.fn()
    registerSignInDialog(askToSignIn)
    await renderSidebar()
    await userEvent.click(await screen.findByRole('button', { name: 'Follow mara' }))
    expect(askToSignIn).toHaveBeenCalledWith({ action: 'follow-user', target: sampleBookmark.user.id })
    registerSignInDialog(null)
  })

  it('show an unknown user, privacy and review state', async () => {
    await renderSidebar(
      { user: { ...sampleBookmark.user, username: '' }, is_public: false },
      { status: 'hidden' },
    )
    expect(screen.getByText('Unknown User')).toBeTruthy()
    expect(screen.getByText('Private')).toBeTruthy()
    expect(screen.getByText('Hidden pending review')).toBeTruthy()
  })
})

describe('a bookmark', () => {
  const fallback = 'Failed to load bookmark details. It might have been deleted or the link is incorrect.'
  it.each([
    ['The database is out of reach.', 'The database is out of reach.'],
    ['', fallback],
    [undefined, fallback],
  ])('that failed to load shows the reason: %s', async (message, text) => {
    await renderPage(<BookmarkError message={message} />)
    expect(screen.getByRole('heading', { name: 'Error Loading Bookmark' })).toBeTruthy()
    expect(screen.getByText(text)).toBeTruthy()
    expect(linkTarget('Go back home')).toBe('/')
  })
})
