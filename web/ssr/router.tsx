import { CallError, isCallError } from '@reelmark/contract/protocol/call.ts'
import type { SiteContact } from '@reelmark/contract/site-contact.ts'
import { QueryClient } from '@tanstack/react-query'
import { createSerializationAdapter, createRouter as createTanStackRouter } from '@tanstack/react-router'
import { setupRouterSsrQueryIntegration } from '@tanstack/react-router-ssr-query'
import { routeTree } from '../route-tree.gen.ts'
import { parseSearch, stringifySearch } from '../shared/api/query-string.ts'
import { ErrorPage } from '../shared/pages/error-page.tsx'
import { NotFoundPage } from '../shared/pages/not-found-page.tsx'

export interface RouterContext {
  queryClient: QueryClient
  /** Public URL of the site without a trailing slash, for canonical URLs and link previews. */
  publicUrl: string
  siteContact: SiteContact
}

/** Transfers call errors of loaders to the browser with their status. Other errors keep only their message. */
const callErrors = createSerializationAdapter({
  key: 'call-error',
  test: isCallError,
  toSerializable: ({ status, retryAfter }) => ({ status, retryAfter }),
  fromSerializable: ({ status, retryAfter }) => new CallError(status, null, retryAfter),
})

/**
 * Creates a router. The server creates one per request, so that no data leaks between viewers. `siteContact` and `nonce`
 * are passed on the server; the browser reads them from the page.
 */
export function createRouter({
  publicUrl,
  // In the browser, `hydrate` replaces it before anything reads it.
  siteContact = {} as SiteContact,
  nonce,
}: {
  publicUrl: string
  siteContact?: SiteContact
  nonce?: string
}) {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: false, refetchOnWindowFocus: false },
      dehydrate: { shouldRedactErrors: () => false },
    },
  })
  const context: RouterContext = { queryClient, publicUrl, siteContact }
  const router = createTanStackRouter({
    routeTree,
    context,
    dehydrate: () => ({ siteContact }),
    // Runs before routes are matched with the context.
    hydrate: (page) => {
      context.siteContact = page.siteContact
    },
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultPreload: 'intent',
    // TanStack Query decides whether data is fresh.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    ...(nonce === undefined ? {} : { ssr: { nonce } }),
  })
  router.options.serializationAdapters = [callErrors]
  setupRouterSsrQueryIntegration({ router, queryClient })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createRouter>
  }
}
