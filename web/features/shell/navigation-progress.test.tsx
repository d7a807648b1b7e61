import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { NavigationProgress } from './navigation-progress.tsx'

afterEach(cleanup)

it('shows a progress bar until the page has loaded', async () => {
  window.scrollTo = () => undefined
  let finishLoading = () => {}
  const loaded = new Promise<void>((resolve) => {
    finishLoading = resolve
  })
  const root = createRootRoute({
    component: () => (
      <>
        <NavigationProgress />
        <Outlet />
      </>
    ),
  })
  const home = createRoute({ getParentRoute: () => root, path: '/', component: () => <p>Home</p> })
  const slow = createRoute({
    getParentRoute: () => root,
    path: '/slow',
    loader: () => loaded,
    component: () => <p>There</p>,
  })
  const router = createRouter({
    routeTree: root.addChildren([home, slow]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(<RouterProvider router={router as never} />)
  await screen.findByText('Home')
  expect(screen.queryByRole('progressbar')).toBeNull()

  act(() => router.history.push('/slow'))
  await screen.findByRole('progressbar')
  act(finishLoading)
  await screen.findByText('There')
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
})
