import type { UserRecord } from '@reelmark/contract/sanctions.ts'
import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeUser } from '../../session-store.ts'
import { type FakeAnswer, type FakeRequest, fakeApi } from '../../testing/fake-api.ts'
import { fakeDialogs } from '../../testing/fake-dialogs.ts'
import { aProfile, freshBrowser, signedInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { Toaster } from '../../ui/toast.tsx'
import { ModeratorPage } from './moderator-page.tsx'
import { person } from './queue.fixture.ts'
import { RecordPage } from './record-page.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  freshBrowser()
  fakeDialogs()
  signedInAs('mod')
  storeUser(aProfile('mod', { is_moderator: true }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const none = { open: 0, approved: 0, rejected: 0 }

/** A server that knows ana, and what was done to her; `answer` comes first. */
async function showAna(answer: (request: FakeRequest) => FakeAnswer | null = () => null) {
  const ana: UserRecord = {
    ...{ user: person(3, 'ana'), is_moderator: false, created_at: '2026-01-01T00:00:00Z' },
    ...{ banned_at: null, ban_reason: '', suspended_until: null, bookmarks_count: 0, comments_count: 0 },
    ...{
      reports_made: none,
      reports_received: none,
      decisions: [],
      recent_bookmarks: [],
      recent_comments: [],
    },
  }
  const requests = fakeApi((request) => {
    const { method, path } = request
    const own = answer(request)
    if (own !== null) return own
    if (path === '/moderation/records/ana/') return [200, ana]
    if (path === '/profile/mod/') return [200, aProfile('mod', { is_moderator: true })]
    if (path === '/auth/confirm/') return [204]
    if (method !== 'POST') return [404, {}]
    if (/(pro|de)mote\/$/.test(path)) ana.is_moderator = path.endsWith('/promote/')
    return [200, { id: 3, username: 'ana', is_moderator: ana.is_moderator, is_verified: false }]
  })
  await renderPage(
    <>
      <ModeratorPage />
      <RecordPage username="ana" />
      <Toaster />
    </>,
  )
  await screen.findByRole('heading', { level: 2, name: 'ana' })
  const posted = () =>
    requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])
  return { posted }
}
const press = async (name: string) => user.click(await screen.findByRole('button', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

test('somebody is let moderate once one has confirmed who one is, and then no more', async () => {
  let isConfirmed = false
  const { posted } = await showAna(({ path }) => {
    if (path === '/auth/confirm/') isConfirmed = true
    return path.endsWith('/promote/') && !isConfirmed ? [403, { confirm: ['password'] }] : null
  })
  await press('Make moderator')
  await user.click((await dialog('Make ana a moderator?')).getByRole('button', { name: 'Make moderator' }))
  const asked = await dialog("Confirm it's you")
  await user.type(asked.getByLabelText('Your password'), 'a quiet harbour')
  await user.click(asked.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('ana is now a moderator.')).toBeDefined()
  expect(await screen.findByText('Moderator', { selector: 'article *' })).toBeDefined()
  await press('Demote')
  await user.click((await dialog('Demote ana?')).getByRole('button', { name: 'Demote' }))
  expect(await screen.findByText('ana is no longer a moderator.')).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Make moderator' })).toBeDefined()
  expect(posted()).toEqual([
    ['/moderation/users/3/promote/', null],
    ['/auth/confirm/', { password: 'a quiet harbour' }],
    ['/moderation/users/3/promote/', null],
    ['/moderation/users/3/demote/', null],
  ])
})

test('what somebody is to be told is kept until it is sent', async () => {
  const { posted } = await showAna()
  await press('Warn')
  await user.type((await dialog('Warn ana')).getByLabelText('Message to the user'), 'Be kind')
  await press('Cancel')
  await press('Warn')
  const again = await dialog('Warn ana')
  expect(again.getByLabelText('Message to the user')).toHaveProperty('value', 'Be kind')
  await user.click(again.getByRole('button', { name: 'Warn' }))
  expect(await screen.findByText('ana was warned.')).toBeDefined()
  expect(posted()).toEqual([['/moderation/users/3/warn/', { statement: 'Be kind' }]])
  expect(sessionStorage.length).toBe(0)
})
