import { isRedirect } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { requireSession } from './require-session.ts'

const location = { pathname: '/bookmarks/create', searchStr: '?url=https%3A%2F%2Fa.example%2Fv' }

beforeEach(resetBrowser)
afterEach(() => vi.unstubAllGlobals())

async function redirectTarget(): Promise<string | undefined> {
  const thrown = await requireSession({ location }).catch((error: unknown) => error)
  return isRedirect(thrown) ? thrown.options.href : undefined
}

test('a visitor is redirected to the login page, which returns to the full address', async () => {
  expect(await redirectTarget()).toBe(
    '/login?redirect=%2Fbookmarks%2Fcreate%3Furl%3Dhttps%253A%252F%252Fa.example%252Fv',
  )
})

test('a signed-in user is not redirected', async () => {
  signInAs('alice')
  expect(await redirectTarget()).toBeUndefined()
})

test('a session about to expire is refreshed, and ends if the refresh is refused', async () => {
  signInAs('alice')
  localStorage.setItem('token_expiry', new Date().toISOString())
  fakeApi(() => [200, { access: 'access-2', refresh: 'refresh-2' }])
  expect(await redirectTarget()).toBeUndefined()
  localStorage.setItem('token_expiry', new Date().toISOString())
  fakeApi(() => [401, { detail: 'over' }])
  expect(await redirectTarget()).toContain('/login')
})
