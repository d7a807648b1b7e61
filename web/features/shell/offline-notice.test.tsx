import { listTags } from '@reelmark/contract/tags.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../../shared/api/api.ts'
import { reportServerReachable } from '../../shared/api/connectivity.ts'
import { ErrorPage } from '../../shared/pages/error-page.tsx'
import { fakeApi } from '../../testing/fake-api.ts'
import { resetBrowser } from '../../testing/fake-session.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { OfflineNotice } from './offline-notice.tsx'

beforeEach(resetBrowser)
afterEach(() => {
  cleanup()
  reportServerReachable(true)
  vi.unstubAllGlobals()
})

const notice = () => screen.queryByText(/^You're offline\./)

test('shows a notice when the server cannot be reached, and refetches once it can', async () => {
  let isReachable = true
  const requests = fakeApi(() =>
    isReachable ? [200, { count: 0, next: null, previous: null, results: [] }] : 'offline',
  )
  const { client } = await renderPage(<OfflineNotice />)
  const invalidations = vi.spyOn(client, 'invalidateQueries')
  expect(notice()).toBeNull()
  isReachable = false
  await expect(api(listTags, { query: {} })).rejects.toMatchObject({ status: 0 })
  await waitFor(() => expect(notice()).toBeTruthy())
  expect(invalidations).not.toHaveBeenCalled()
  isReachable = true
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(notice()).toBeNull())
  expect(requests.at(-1)?.path).toBe('/healthz')
  expect(invalidations).toHaveBeenCalled()
})

test('polls the server while offline, and a successful request ends the notice', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const requests = fakeApi(() => 'offline')
  await renderPage(<OfflineNotice />)
  window.dispatchEvent(new Event('offline'))
  await vi.advanceTimersByTimeAsync(7000)
  expect(requests.map(({ path }) => path)).toEqual(['/healthz', '/healthz'])
  fakeApi(() => [200, { count: 0, next: null, previous: null, results: [] }])
  await api(listTags, { query: {} })
  await waitFor(() => expect(notice()).toBeNull())
  vi.useRealTimers()
})

test('the error page says that the user is offline if the server cannot be reached', async () => {
  await renderPage(<ErrorPage />)
  expect(screen.getByRole('heading').textContent).toBe('Something went wrong')
  reportServerReachable(false)
  await waitFor(() => expect(screen.getByRole('heading').textContent).toBe("You're offline"))
})
