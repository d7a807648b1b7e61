import { isRedirect } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../testing/fake-api.ts'
import { freshBrowser, signedInAs } from '../../testing/fake-session.ts'
import { requireSession } from './require-session.ts'

const location = { pathname: '/bookmarks/create', searchStr: '?url=https%3A%2F%2Fa.example%2Fv' }

beforeEach(freshBrowser)
afterEach(() => vi.unstubAllGlobals())

async function ledTo(): Promise<string | undefined> {
  const thrown = await requireSession({ location }).catch((error: unknown) => error)
  return isRedirect(thrown) ? thrown.options.href : undefined
}

test('a visitor is led to the login page, with the whole way back', async () => {
  expect(await ledTo()).toBe(
    '/login?redirect=%2Fbookmarks%2Fcreate%3Furl%3Dhttps%253A%252F%252Fa.example%252Fv',
  )
})

test('a signed-in person goes on', async () => {
  signedInAs('alice')
  expect(await ledTo()).toBeUndefined()
})

test('a session near its end is refreshed first, and one that cannot be is none', async () => {
  signedInAs('alice')
  localStorage.setItem('token_expiry', new Date().toISOString())
  fakeApi(() => [200, { access: 'access-2', refresh: 'refresh-2' }])
  expect(await ledTo()).toBeUndefined()
  localStorage.setItem('token_expiry', new Date().toISOString())
  fakeApi(() => [401, { detail: 'over' }])
  expect(await ledTo()).toContain('/login')
})
