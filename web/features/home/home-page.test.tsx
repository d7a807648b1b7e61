import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser, signInAs } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { HomePage } from './home-page.tsx'

vi.mock('./own-home.tsx', () => {
  throw new Error('not loaded')
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a home page whose code cannot be loaded says so and can be tried again', async () => {
  resetBrowser()
  fakeApi(() => 'offline')
  signInAs('alice')
  await renderPage(<HomePage />)
  expect(await screen.findByText("Couldn't load your home page")).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull()
})
