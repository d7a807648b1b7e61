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
  /** Where the site is reached, without a trailing slash; for canonical addresses and previews. */
  publicUrl: string
  community: SiteContact
}

/** What failed on the server says in the browser, too, why: an error on its way there keeps only its message. */
const callErrors = createSerializationAdapter({
  key: 'call-error',
  test: isCallError,
  toSerializable: ({ status, retryAfter }) => ({ status, retryAfter }),
  fromSerializable: ({ status, retryAfter }) => new CallError(status, null, retryAfter),
})

/**
 * One router per page view: on the server one per request, so that nobody's data reaches anybody else.
 * `community` and `nonce` are given on the server; the browser reads them from the page.
 */
export function createRouter({
  publicUrl,
  community = { email: '', chat: null, mastodon: null, code: null },
  nonce,
}: {
  publicUrl: string
  community?: SiteContact
  nonce?: string
}) {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: false, refetchOnWindowFocus: false },
      dehydrate: { shouldRedactErrors: () => false },
    },
  })
  const context: RouterContext = { queryClient, publicUrl, community }
  const router = createTanStackRouter({
    routeTree,
    context,
    dehydrate: () => ({ community }),
    // Before anything is matched with it.
    hydrate: (page) => {
      context.community = page.community
    },
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultPreload: 'intent',
    // TanStack Query decides what is fresh.
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
