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

test('says so when a call finds nobody, and goes on when the server is back', async () => {
  let there = true
  const requests = fakeApi(() =>
    there ? [200, { count: 0, next: null, previous: null, results: [] }] : 'offline',
  )
  const { client } = await renderPage(<OfflineNotice />)
  const sentRequests = vi.spyOn(client, 'invalidateQueries')
  expect(notice()).toBeNull()
  there = false
  await expect(api(listTags, { query: {} })).rejects.toMatchObject({ status: 0 })
  await waitFor(() => expect(notice()).toBeTruthy())
  expect(sentRequests).not.toHaveBeenCalled()
  there = true
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(notice()).toBeNull())
  expect(requests.at(-1)?.path).toBe('/healthz')
  expect(sentRequests).toHaveBeenCalled()
})

test('looks for the server by itself, and a call that comes through is as good', async () => {
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

test('a page that broke because nobody was there says that, and not that it is our fault', async () => {
  await renderPage(<ErrorPage />)
  expect(screen.getByRole('heading').textContent).toBe('Something went wrong')
  reportServerReachable(false)
  await waitFor(() => expect(screen.getByRole('heading').textContent).toBe("You're offline"))
})
