/** Notices about moderation decisions outside of the page that lists them. */
import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { refreshUser } from '../../../shared/session/session.ts'
import { fakeApi } from '../../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { sampleBookmark } from '../../../testing/sample-bookmark.ts'
import { Toaster } from '../../../ui/toaster.tsx'
import { BookmarkSummary } from '../../bookmark-page/bookmark-summary.tsx'
import { SuspensionNotice } from '../../shell/suspension-notice.tsx'
import { useLike } from '../../videos/likes/use-like.ts'

// Loaded in advance, because lazy imports are slow on a busy machine.
beforeAll(() => Promise.all([import('../sanctions/suspension-banner.tsx'), import('./hidden-notice.tsx')]))
beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const decision = (id: number, more: object) => ({
  id,
  target_kind: 'user',
  target_id: 7,
  reason: null,
  title: 'alice',
  statement: '',
  created_at: '2026-01-02T03:04:05Z',
  until: null,
  is_undone: false,
  can_appeal: true,
  appeal: null,
  ...more,
})
const suspendedUntil = new Date(Date.now() + 3 * 86_400_000).toISOString()
const page = (results: unknown[]) =>
  [200, { count: results.length, next: null, previous: null, results }] as const

function TestLikeButton() {
  const { isLiked, toggle } = useLike({ videoId: 9, isLiked: false, likesCount: 0 })
  return (
    <button type="button" aria-pressed={isLiked} onClick={toggle}>
      Like
    </button>
  )
}

test('a suspended user sees one toast at the first refusal, and a banner on every page until it ends', async () => {
  let profile = testProfile('alice')
  fakeApi(({ method, path }) => {
    if (path.startsWith('/decisions/')) {
      return page([decision(5, { action: 'suspend', until: suspendedUntil, statement: 'Please stop.' })])
    }
    return method === 'GET'
      ? [200, profile]
      : [403, { detail: 'This account is suspended.', code: 'suspended', until: suspendedUntil }]
  })
  await renderPage(
    <>
      <SuspensionNotice />
      <TestLikeButton />
      <Toaster />
    </>,
  )
  expect(screen.queryByRole('complementary')).toBeNull()
  const like = screen.getByRole('button', { name: 'Like' })
  await userEvent.click(like)
  expect(await screen.findByText(/You can browse but can't make changes/)).toBeTruthy()
  await vi.waitFor(() => expect(like.getAttribute('aria-pressed')).toBe('false'))
  expect(screen.queryByText("Couldn't update your like. Try again.")).toBeNull()
  const banner = within(await screen.findByRole('complementary', { name: 'Your account is suspended' }))
  expect(banner.getByText(/Your account is suspended until .*202\d/)).toBeTruthy()
  expect(await banner.findByText(/Reason: Please stop\./)).toBeTruthy()
  const link = banner.getByRole('link', { name: 'View details or appeal' })
  expect(link.getAttribute('href')).toBe('/settings/reports#decision-5')
  profile = testProfile('alice', { suspended_until: null })
  await refreshUser()
  await vi.waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
})

test('the owner of a hidden video sees the reason and a link to the decision', async () => {
  fakeApi(({ path }) =>
    path.startsWith('/decisions/')
      ? page([
          decision(4, { action: 'hide', target_kind: 'video', target_id: 8, reason: 'other' }),
          decision(3, { action: 'hide', target_kind: 'video', target_id: 9, reason: 'spam' }),
        ])
      : [404, {}],
  )
  const hidden = {
    ...sampleBookmark,
    is_owner: true,
    video: { ...sampleBookmark.video, status: 'hidden' as const },
  }
  await renderPage(<BookmarkSummary bookmark={hidden} />)
  expect(screen.getByText('Hidden pending review')).toBeTruthy()
  expect(await screen.findByText(/It was reported as spam\. It's hidden from everyone else/)).toBeTruthy()
  const link = screen.getByRole('link', { name: 'View decision or appeal' })
  expect(link.getAttribute('href')).toBe('/settings/reports#decision-3')
})
