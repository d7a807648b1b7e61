import { useQuery } from '@tanstack/react-query'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../../testing/fake-api.ts'
import { fakeDialogs } from '../../../testing/fake-dialogs.ts'
import { resetBrowser, signInAs, testProfile } from '../../../testing/fake-session.ts'
import { renderPage } from '../../../testing/render-page.tsx'
import { Toaster } from '../../../ui/toaster.tsx'
import { MuteTagButton } from '../mutes/mute-tag-button.tsx'
import { profileQuery } from '../profiles/queries.ts'
import { BlockedNotice } from './blocked-notice.tsx'
import { BlocksSettingsPanel } from './settings-panel.tsx'
import { UserMenu } from './user-menu.tsx'

const user = userEvent.setup({ delay: null })

beforeAll(() => {
  fakeDialogs()
  // jsdom does not implement popovers.
  HTMLElement.prototype.hidePopover = () => {}
})
beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const testUser = { id: 12, username: 'mara' }
const sentRequests = (requests: FakeRequest[]) =>
  requests.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])

function TestUserMenu() {
  const { data } = useQuery(profileQuery('mara'))
  if (data === undefined) return null
  return (
    <>
      <p>{data.is_blocked ? 'blocked' : 'not blocked'}</p>
      <UserMenu user={testUser} muteId={data.mute_id} isBlocked={data.is_blocked} />
      <Toaster />
    </>
  )
}

/** Renders the menu on a simulated server. `answer` can override its responses. */
async function renderMenu(answer: (request: FakeRequest) => FakeAnswer | null = () => null) {
  const state = { mute_id: null as number | null, is_blocked: false }
  const requests = fakeApi((request) => {
    const fakeReply = answer(request)
    if (fakeReply !== null) return fakeReply
    const { method, path } = request
    if (method === 'GET') return [200, testProfile('mara', { user_id: 12, ...state })]
    if (path === '/mutes/') {
      state.mute_id = 5
      return [201, { id: 5, user: null, tag: null, created_at: '2026-01-01T00:00:00Z' }]
    }
    if (method === 'DELETE') {
      state.mute_id = null
      return [204]
    }
    state.is_blocked = path.endsWith('/block/')
    return [200, { is_blocked: state.is_blocked }]
  })
  await renderPage(<TestUserMenu />)
  await screen.findByText('not blocked')
  return requests
}
const findMenuItem = (name: string) => screen.findByRole('menuitem', { name, hidden: true })

test('a user is muted and unmuted from the menu', async () => {
  const requests = await renderMenu()
  await user.click(await findMenuItem('Mute mara'))
  await user.click(await findMenuItem('Unmute mara'))
  expect(await findMenuItem('Mute mara')).toBeTruthy()
  expect(await screen.findByText('mara unmuted.')).toBeTruthy()
  expect(sentRequests(requests)).toEqual([
    ['POST', '/mutes/', { user_id: 12 }],
    ['DELETE', '/mutes/5/', null],
  ])
})

test('a failed mute shows an error and changes nothing', async () => {
  await renderMenu(({ method }) => (method === 'POST' ? [409, { detail: 'Too many.' }] : null))
  await user.click(await findMenuItem('Mute mara'))
  expect(await screen.findByText("Couldn't mute mara. Try again.")).toBeTruthy()
  expect(await findMenuItem('Mute mara')).toBeTruthy()
})

test('a block asks for confirmation; cancelling does nothing, and a failure can be retried', async () => {
  let fails = true
  const requests = await renderMenu(({ path }) => (path.endsWith('/block/') && fails ? [500, {}] : null))
  await user.click(await findMenuItem('Block mara'))
  let dialog = within(await screen.findByRole('dialog', { name: 'Block mara?' }))
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(sentRequests(requests)).toEqual([])
  await user.click(await findMenuItem('Block mara'))
  dialog = within(await screen.findByRole('dialog', { name: 'Block mara?' }))
  await user.click(dialog.getByRole('button', { name: 'Block' }))
  expect((await dialog.findByRole('alert')).textContent).toBe("Couldn't block mara. Try again.")
  expect(screen.getByText('not blocked')).toBeTruthy()
  fails = false
  await user.click(dialog.getByRole('button', { name: 'Block' }))
  expect(await screen.findByText('blocked')).toBeTruthy()
  expect(await findMenuItem('Unblock mara')).toBeTruthy()
})

test('after unblocking on the profile, the focus moves to the page', async () => {
  fakeApi(() => [200, { is_blocked: false }])
  await renderPage(
    <main id="content" tabIndex={-1}>
      <BlockedNotice user={testUser} />
      <Toaster />
    </main>,
  )
  await user.click(await screen.findByRole('button', { name: 'Unblock' }))
  expect(await screen.findByText('mara unblocked.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('a tag that could not be muted shows an error', async () => {
  fakeApi(({ method }) =>
    method === 'GET' ? [200, { count: 0, next: null, previous: null, results: [] }] : [409, {}],
  )
  await renderPage(
    <>
      <MuteTagButton tag="loud" />
      <Toaster />
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'Mute this tag' }))
  expect(await screen.findByText("Couldn't mute the tag. Try again.")).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Mute this tag' })).toBeTruthy()
})

test('the lists load page by page, and a user who could not be unblocked stays', async () => {
  const blocked = (id: number, username: string) => ({
    id,
    username,
    avatar_url: '/media/default.jpg',
    is_verified: false,
    blocked_at: '2026-01-01T00:00:00Z',
  })
  const requests = fakeApi(({ method, path }) => {
    if (method === 'POST') return [500, {}]
    if (path.startsWith('/mutes/')) return [200, { count: 0, next: null, previous: null, results: [] }]
    return path.includes('cursor')
      ? [200, { count: 2, next: null, previous: null, results: [blocked(2, 'bo')] }]
      : [
          200,
          { count: 2, next: '/api/blocks/?page=2&cursor=abc', previous: null, results: [blocked(1, 'ana')] },
        ]
  })
  await renderPage(
    <>
      <BlocksSettingsPanel />
      <Toaster />
    </>,
  )
  await user.click(await screen.findByRole('button', { name: 'Load more' }))
  await user.click(await screen.findByRole('button', { name: 'Unblock bo' }))
  expect(await screen.findByText("Couldn't unblock bo. Try again.")).toBeTruthy()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Unblock bo' })).toBeTruthy())
  expect(requests.map(({ path }) => path)).toContain('/blocks/?page=2&cursor=abc')
  expect(screen.getByText("You haven't muted anyone or any tags.")).toBeTruthy()
})
