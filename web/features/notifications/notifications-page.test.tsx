import type { Notification } from '@reelmark/contract/notifications.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { Toaster } from '../../ui/toaster.tsx'
import { NotificationsPage } from './notifications-page.tsx'
import { getUnread, setUnread } from './unread.ts'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
  setUnread(2)
  // Reports every element as visible.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly callback: IntersectionObserverCallback
      constructor(callback: IntersectionObserverCallback) {
        this.callback = callback
      }
      observe(target: Element) {
        this.callback([{ isIntersecting: true, target } as IntersectionObserverEntry], this as never)
      }
      unobserve() {}
    },
  )
})
afterEach(() => {
  cleanup()
  setUnread(null)
  vi.unstubAllGlobals()
})

const testUser = (id: number, username: string) => ({
  id,
  username,
  avatar_url: '/media/default.jpg',
  is_verified: false,
})
const testVideo = { id: 5, title: 'The Harbour', thumbnail_url: '/media/a.webp', orientation: 'sfw' } as const

function testNotification(id: number, more: Partial<Notification> = {}): Notification {
  return {
    id: `event-${id}`,
    kind: 'own_video_liked',
    actors: [testUser(1, 'ana')],
    actors_count: 1,
    bookmark: testVideo,
    bookmarks_count: 1,
    more_bookmarks: [],
    comment: null,
    container: null,
    replaced_link: null,
    decision: null,
    report: null,
    created_at: `2026-01-01T00:00:${String(60 - id).padStart(2, '0')}Z`,
    is_read: false,
    ...more,
  }
}

const notificationsPage = (results: Notification[], next: string | null = null) => ({
  count: results.length,
  next,
  previous: null,
  results,
})

async function renderPageWith(
  results: Notification[],
  answer: (body: unknown) => FakeAnswer = () => [200, { count: 0 }],
) {
  const requests = fakeApi(({ method, body }) =>
    method === 'POST' ? answer(body) : [200, notificationsPage(results)],
  )
  const page = await renderPage(
    <>
      <NotificationsPage />
      <Toaster />
    </>,
  )
  await screen.findByRole('list', { name: 'Notifications' })
  return {
    ...page,
    readRequests: () => requests.filter(({ method }) => method === 'POST').map(({ body }) => body),
  }
}

const notificationItems = () =>
  within(screen.getByRole('list', { name: 'Notifications' })).getAllByRole('listitem')
const itemText = (item: HTMLElement | undefined) => item?.querySelector('p')?.textContent

test('shows who did what, with links to it', async () => {
  const ben = testUser(2, 'ben')
  await renderPageWith([
    testNotification(1, { actors: [testUser(1, 'ana'), ben], actors_count: 13 }),
    testNotification(2, { actors: [testUser(1, 'ana'), ben], actors_count: 2, kind: 'own_video_bookmarked' }),
    testNotification(3, { kind: 'reply', comment: { id: 77, excerpt: 'Indeed' } }),
    testNotification(4, { kind: 'new_bookmark_from_followed_user', actors_count: 1 }),
    testNotification(5, { kind: 'follow', bookmark: null, actors_count: 100 }),
    testNotification(6, {
      kind: 'new_bookmark_from_followed_user',
      actors_count: 1,
      container: { kind: 'channel', id: 9, name: 'Ports' },
    }),
  ])
  expect(notificationItems().map(itemText)).toEqual([
    'ana and 12 others liked The Harbour',
    'ana and ben saved your bookmark The Harbour',
    'ana replied to your comment on The Harbour',
    'ana saved The Harbour',
    'ana and 98+ others followed you',
    'ana saved The Harbour in the channel Ports',
  ])
  const linkTargets = (item: number) =>
    within(notificationItems()[item] as HTMLElement)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'))
  expect(linkTargets(0)).toEqual(['/users/ana', '/bookmarks/5'])
  expect(linkTargets(2)).toEqual(['/users/ana', '/bookmarks/5#comment-77'])
  expect(linkTargets(4)).toEqual(['/users/ana'])
  expect(linkTargets(5)).toEqual(['/users/ana', '/bookmarks/5', '/channels/9'])
  expect(notificationItems()[2]?.textContent).toContain('Indeed')
})

test('a group shows how many bookmarks it is about, and its notifications one by one when it is expanded', async () => {
  const other = { ...testVideo, id: 6, title: 'The Lighthouse' }
  const group = testNotification(1, {
    id: 'likes-82000',
    actors_count: 3,
    bookmarks_count: 24,
    more_bookmarks: [other],
  })
  const requests = fakeApi(({ method, path }) => {
    if (method === 'POST') return [200, { count: 1 }]
    if (!path.includes('group=likes-82000')) return [200, notificationsPage([group])]
    return [200, notificationsPage([testNotification(8), testNotification(9, { bookmark: other })])]
  })
  await renderPage(<NotificationsPage />)
  const list = within(await screen.findByRole('list', { name: 'Notifications' }))
  expect(itemText(list.getAllByRole('listitem')[0])).toBe('ana and 2 others liked 24 of your bookmarks')
  const pictures = within(list.getByRole('list', { name: 'Bookmarks' })).getAllByRole('link')
  expect(
    pictures.map((link) => [link.querySelector('.sr-only')?.textContent, link.getAttribute('href')]),
  ).toEqual([
    ['The Harbour', '/bookmarks/5'],
    ['The Lighthouse', '/bookmarks/6'],
  ])
  const expand = list.getByRole('button', { name: '24 of your bookmarks', expanded: false })
  await user.click(expand)
  const single = within(await list.findByRole('list', { name: 'Notifications of this group' }))
  expect((await single.findAllByRole('listitem')).map(itemText)).toEqual([
    'ana liked The Harbour',
    'ana liked The Lighthouse',
  ])
  // Events of the group that arrived after it was shown stay unread.
  expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
    ids: ['likes-82000'],
    until: group.created_at,
  })
  expect(getUnread()).toBe(1)
  await user.click(expand)
  expect(list.queryByRole('list', { name: 'Notifications of this group' })).toBeNull()
})

test('an expanded group shows an event that arrived since, once new notifications are shown', async () => {
  const group = testNotification(1, { id: 'likes-82000', bookmarks_count: 24 })
  const events = [testNotification(8)]
  let listed = group
  fakeApi(({ path }) => [200, notificationsPage(path.includes('group=likes-82000') ? events : [listed])])
  await renderPage(<NotificationsPage />)
  await user.click(await screen.findByRole('button', { name: '24 of your bookmarks' }))
  const single = within(await screen.findByRole('list', { name: 'Notifications of this group' }))
  await waitFor(() => expect(single.getAllByRole('listitem')).toHaveLength(1))
  events.unshift(testNotification(9, { actors: [testUser(3, 'cyd')] }))
  listed = { ...group, created_at: '2026-01-02T00:00:00Z', bookmarks_count: 25 }
  await new Promise((done) => setTimeout(done, 2))
  setUnread(3)
  await user.click(await screen.findByRole('button', { name: 'Show new notifications' }))
  await waitFor(() =>
    expect(single.getAllByRole('listitem').map(itemText)).toEqual([
      'cyd liked The Harbour',
      'ana liked The Harbour',
    ]),
  )
  expect(screen.getByRole('button', { name: '25 of your bookmarks', expanded: true })).toBeTruthy()
})

test('a deleted bookmark is named without a link', async () => {
  await renderPageWith([testNotification(1, { bookmark: null })])
  expect(itemText(notificationItems()[0])).toBe('ana liked a deleted bookmark')
  expect(within(notificationItems()[0] as HTMLElement).getAllByRole('link')).toHaveLength(1)
})

/** A decision without statement and appeal. */
const noStatement = { statement: '', appeal_status: null } as const
const noActors = { actors: [], actors_count: 0, bookmark: null }

test('moderation decisions name no moderator and link to the decision', async () => {
  const { readRequests, path } = await renderPageWith([
    testNotification(1, {
      ...noActors,
      kind: 'moderation',
      decision: { id: 3, action: 'hide', reason: 'spam', title: 'The Harbour', ...noStatement },
    }),
    testNotification(2, {
      ...noActors,
      kind: 'report_decided',
      report: { id: 4, report_type: 'spam', status: 'approved', title: 'Buy now' },
    }),
    testNotification(3, {
      ...noActors,
      kind: 'moderation',
      decision: { id: 5, action: 'warn', reason: null, title: '', ...noStatement },
    }),
  ])
  expect(notificationItems().map(itemText)).toEqual([
    '“The Harbour” was hidden pending review: it was reported as spam.',
    'We took action on your report of “Buy now”. Thank you.',
    'You received a warning.',
  ])
  await user.click(
    within(notificationItems()[0] as HTMLElement).getByRole('link', { name: /was hidden pending review/ }),
  )
  expect(path()).toBe('/settings/reports#decision-3')
  await waitFor(() => expect(readRequests()).toEqual([{ ids: ['event-1'] }]))
})

test('the outcome of an appeal shows the statement and links to the decision', async () => {
  const removed = { id: 3, action: 'remove', reason: 'spam', title: 'The Harbour' } as const
  const warned = { id: 4, action: 'warn', reason: null, title: '' } as const
  await renderPageWith([
    testNotification(1, {
      ...noActors,
      kind: 'moderation',
      decision: { ...removed, statement: 'It sells something', appeal_status: 'rejected' },
    }),
    testNotification(2, {
      ...noActors,
      kind: 'moderation',
      decision: { ...warned, statement: '', appeal_status: 'granted' },
    }),
  ])
  expect(notificationItems()[0]?.textContent).toContain('It sells something')
  const links = notificationItems().map((item) => within(item as HTMLElement).getByRole('link'))
  expect(links.map((link) => link.textContent)).toEqual([
    'Your appeal about “The Harbour” was rejected.',
    'Your appeal about a warning was granted.',
  ])
  expect(links[0]?.getAttribute('href')).toBe('/settings/reports#decision-3')
})

test('adult thumbnails are hidden until age is confirmed', async () => {
  await renderPageWith([testNotification(1, { bookmark: { ...testVideo, orientation: 'bi' } })])
  expect(notificationItems()[0]?.textContent).toContain('18+')
  expect(notificationItems()[0]?.querySelector('img[src="/media/a.webp"]')).toBeNull()
  await user.click(screen.getByRole('button', { name: "I'm 18+. Show them" }))
  expect(notificationItems()[0]?.textContent).not.toContain('18+')
})

test('opening a notification marks it as read, immediately and on the server', async () => {
  const { readRequests, path } = await renderPageWith([testNotification(1), testNotification(2)], () => [
    200,
    { count: 1 },
  ])
  expect(notificationItems()[0]?.textContent).toContain('New')
  await user.click(within(notificationItems()[0] as HTMLElement).getByRole('link', { name: 'The Harbour' }))
  expect(path()).toBe('/bookmarks/5')
  await waitFor(() => expect(readRequests()).toEqual([{ ids: ['event-1'] }]))
  expect(getUnread()).toBe(1)
})

test('all notifications are marked as read, and a failure is undone', async () => {
  let isServerUp = false
  const { readRequests } = await renderPageWith([testNotification(1), testNotification(2)], () =>
    isServerUp ? [200, { count: 0 }] : [503, {}],
  )
  const button = screen.getByRole('button', { name: 'Mark all as read' })
  await user.click(button)
  expect(await screen.findByText("Couldn't mark as read. Try again.")).toBeTruthy()
  await waitFor(() => expect(notificationItems()[0]?.textContent).toContain('New'))
  expect(getUnread()).toBe(2)
  isServerUp = true
  await user.click(button)
  await waitFor(() => expect(notificationItems()[0]?.textContent).not.toContain('New'))
  expect(readRequests()).toEqual(Array(2).fill({ all: true, until: testNotification(1).created_at }))
  expect(getUnread()).toBe(0)
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
  await user.click(button)
  expect(readRequests()).toHaveLength(2)
})

test('more notifications load without duplicates when new ones arrived meanwhile', async () => {
  fakeApi(({ path }) => [
    200,
    path.includes('page=2')
      ? notificationsPage([testNotification(2), testNotification(3)])
      : notificationsPage([testNotification(1), testNotification(2)], '/api/notifications/?page=2'),
  ])
  await renderPage(<NotificationsPage />)
  await user.click(await screen.findByRole('button', { name: 'Load more' }))
  await waitFor(() => expect(notificationItems()).toHaveLength(3))
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
})

test('new notifications are offered by a button instead of being inserted', async () => {
  const results = [testNotification(2)]
  await renderPageWith(results)
  expect(screen.queryByRole('button', { name: 'Show new notifications' })).toBeNull()
  results.unshift(testNotification(1, { actors: [testUser(3, 'cyd')] }))
  await new Promise((done) => setTimeout(done, 2))
  setUnread(3)
  await user.click(await screen.findByRole('button', { name: 'Show new notifications' }))
  await waitFor(() => expect(notificationItems()).toHaveLength(2))
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Notifications'))
})

test('an empty list explains itself, and a failed one can be retried', async () => {
  let fails = true
  fakeApi(() => (fails ? [503, {}] : [200, notificationsPage([])]))
  await renderPage(<NotificationsPage />)
  expect((await screen.findByRole('alert')).textContent).toContain("Couldn't load")
  fails = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No notifications yet')).toBeTruthy()
})

test('a proposed and a replaced link name no user, and the viewer returns to the old link with one press', async () => {
  const replaced_link = {
    bookmark_id: 8,
    title: 'The Ferry',
    before: 'https://first.example.org/a',
    after: 'https://second.example.org/b',
    until: '2026-02-01T00:00:00Z',
  }
  const declined: string[] = []
  fakeApi(({ method, path, body }) => {
    if (path === '/bookmarks/8/decline-link/') {
      declined.push(method)
      return [200, {}]
    }
    if (method === 'POST') return [200, { count: 0, ...(body as object) }]
    return [
      200,
      notificationsPage([
        testNotification(1, { actors: [], actors_count: 0, kind: 'link_proposed' }),
        testNotification(2, { ...noActors, kind: 'link_replaced', replaced_link }),
      ]),
    ]
  })
  await renderPage(
    <>
      <NotificationsPage />
      <Toaster />
    </>,
  )
  await screen.findByText(/was replaced by/)
  expect(notificationItems().map(itemText)).toEqual([
    'Someone proposes another link for The Harbour, which is gone from its site',
    expect.stringMatching(/^The link of The Ferry was replaced by .*second.*first/),
  ])
  await user.click(screen.getByRole('button', { name: 'Return to the old link' }))
  expect(await screen.findByText('Returned to the old link.')).toBeTruthy()
  expect(declined).toEqual(['POST'])
})
