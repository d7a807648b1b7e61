import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { ContainerNotFound } from './container-not-found.tsx'

beforeEach(() => {
  resetBrowser()
  fakeApi(() => 'offline')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('only visitors are asked to log in for a collection that is not found', async () => {
  await renderPage(<ContainerNotFound kind="collection" />)
  expect(screen.getByText('It may be private or deleted.')).toBeTruthy()
  // The stylesheet hides it for signed-in users, because the server renders pages as for visitors.
  expect(screen.getByText("If it's yours, log in to see it.").className).toBe('for-visitors')
})
