import type { SiteContact } from '@reelmark/contract/site-contact.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  type AnyRoute,
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'

/** The operator's contact settings in tests. */
export const testSiteContact: SiteContact = {
  email: 'hello@reelmark.example',
  banner: 'Help us: send suggestions, or join as a moderator or developer.',
  chat: 'https://chat.example/reelmark',
  mastodon: 'https://social.example/@reelmark',
  code: 'https://code.example/reelmark',
  careers: true,
}

/**
 * Renders a page pathname a path with its own router and query client. All other paths are empty pages, so that a test can
 * check redirects with `page.path()`.
 */
export async function renderPage(element: ReactNode, { path = '/here', siteContact = testSiteContact } = {}) {
  // jsdom does not implement scrolling.
  window.scrollTo = () => undefined
  const root = createRootRoute({ component: Outlet })
  const pathname = path.split('?')[0] ?? path
  const routes: AnyRoute[] = [
    createRoute({
      getParentRoute: () => root,
      path: pathname,
      component: () => <div data-testid="page">{element}</div>,
    }),
    createRoute({ getParentRoute: () => root, path: '$', component: () => <div data-testid="elsewhere" /> }),
  ]
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: [path] }),
    context: { siteContact, publicUrl: 'https://reelmark.example' },
  })
  // A navigation may be under way when the test ends. React must not render it, because jsdom may be gone by then.
  onTestFinished(() => {
    router.startTransition = async () => false
  })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const view = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await screen.findByTestId('page')
  return { ...view, client, path: () => router.history.location.href }
}
