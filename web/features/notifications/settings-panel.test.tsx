import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../shared/session/session-store.ts'
import { type FakeAnswer, fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs, testProfile } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { NotificationsSettingsPanel } from './settings-panel.tsx'

const user = userEvent.setup({ delay: null })

beforeEach(() => {
  resetBrowser()
  signInAs('alice')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const all = {
  notify_on_follow: true,
  notify_on_own_video_bookmarked: true,
  notify_on_own_video_liked: true,
  notify_on_new_bookmark_from_followed_user: true,
}

async function renderPanel(answer: (body: Record<string, boolean>) => FakeAnswer | Promise<FakeAnswer>) {
  const requests = fakeApi(({ method, body }) =>
    method === 'PATCH' ? answer(body as Record<string, boolean>) : [200, testProfile('alice', all)],
  )
  await renderPage(<NotificationsSettingsPanel />)
  await screen.findByRole('switch', { name: 'Someone follows you' })
  return requests
}

const follows = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Someone follows you' })
const likes = () =>
  screen.getByRole<HTMLInputElement>('switch', { name: 'Someone likes one of your bookmarks' })

test('a choice shows immediately, is saved automatically, and updates the stored profile', async () => {
  const requests = await renderPanel((body) => [200, testProfile('alice', { ...all, ...body })])
  await user.click(follows())
  expect(follows().checked).toBe(false)
  await waitFor(() => expect(getSession().user?.profile.notify_on_follow).toBe(false))
  expect(requests.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path, body])).toEqual([
    ['/profile/alice/', { notify_on_follow: false }],
  ])
})

test('only the choice that failed to save is undone, with the reason', async () => {
  let answerFirst = () => {}
  const first = new Promise<void>((done) => {
    answerFirst = done
  })
  await renderPanel(async (body): Promise<FakeAnswer> => {
    await first
    if ('notify_on_follow' in body) return [503, { detail: 'Not now.' }]
    return [200, testProfile('alice', { ...all, ...body })]
  })
  await user.click(follows())
  await user.click(likes())
  expect([follows().checked, likes().checked]).toEqual([false, false])
  answerFirst()
  await waitFor(() => expect(follows().checked).toBe(true))
  expect((await screen.findByRole('alert')).textContent).toBe("Couldn't save. Not now.")
  await waitFor(() => expect(getSession().user?.profile.notify_on_own_video_liked).toBe(false))
  expect(likes().checked).toBe(false)
})

test('each kind has a switch of its own for mails', async () => {
  const requests = await renderPanel((body) => [200, testProfile('alice', { ...all, ...body })])
  await user.click(screen.getByRole('switch', { name: 'Someone mentions you, by email' }))
  await waitFor(() => expect(requests.at(-1)?.body).toEqual({ mail_on_mention: false }))
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Someone mentions you' }).checked).toBe(true)
})

test('the last of several quick choices is saved', async () => {
  const saved: unknown[] = []
  await renderPanel(async (body) => {
    // The first request is answered last.
    await new Promise((done) => setTimeout(done, saved.length === 0 ? 30 : 1))
    saved.push(body)
    return [200, testProfile('alice', { ...all, ...body })]
  })
  await user.click(follows())
  await user.click(follows())
  expect(follows().checked).toBe(true)
  await waitFor(() => expect(saved).toEqual([{ notify_on_follow: false }, { notify_on_follow: true }]))
  await waitFor(() => expect(getSession().user?.profile.notify_on_follow).toBe(true))
  expect(follows().checked).toBe(true)
})

test('settings that failed to load can be retried', async () => {
  let fails = true
  fakeApi(() => (fails ? [503, { detail: 'Not now.' }] : [200, testProfile('alice', all)]))
  await renderPage(<NotificationsSettingsPanel />)
  expect((await screen.findByRole('alert')).textContent).toContain("Couldn't load")
  fails = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findAllByRole('switch')).toHaveLength(16)
})

test('digest mails are off, daily or weekly, and a failed choice is undone', async () => {
  let isServerUp = true
  const requests = await renderPanel((body) =>
    isServerUp ? [200, testProfile('alice', { ...all, ...body })] : [503, { detail: 'Not now.' }],
  )
  const choice = (name: RegExp) => screen.getByRole<HTMLInputElement>('radio', { name })
  expect(choice(/^Off/).checked).toBe(true)
  await user.click(choice(/^Weekly/))
  expect(choice(/^Weekly/).checked).toBe(true)
  await waitFor(() => expect(getSession().user?.profile.notify_by_email).toBe('weekly'))
  expect(requests.at(-1)?.body).toEqual({ notify_by_email: 'weekly' })
  isServerUp = false
  await user.click(choice(/^Daily/))
  expect((await screen.findByRole('alert')).textContent).toBe("Couldn't save. Not now.")
  expect(choice(/^Weekly/).checked).toBe(true)
})
