import type { Transport } from '@reelmark/contract/call.ts'
import { createRequestHandler, RouterServer, renderRouterToStream } from '@tanstack/react-router/ssr/server'
import { StrictMode } from 'react'
import { answerQueriesWith } from './api-of.ts'
import { builtAssets, developmentAssets, type PageAssets } from './page-assets.ts'
import { createRouter } from './router.tsx'

/** What a page names in its head: after a build, and in development. */
export const assets = { built: builtAssets, development: developmentAssets }

export interface PageRequest {
  /** Its URL, method, headers and abort signal; cookies and tokens play no part: pages are rendered for a visitor. */
  request: Request
  transport: Transport
  nonce: string
  /** Without a trailing slash. */
  publicUrl: string
  /** Made once, by `assets` above. */
  assets: PageAssets
}

/** Renders a page: 200, 404 or 500 with a stream of HTML (whole for search engines' robots), or a redirect. */
export async function render({
  request,
  transport,
  nonce,
  publicUrl,
  assets,
}: PageRequest): Promise<Response> {
  const handler = createRequestHandler({
    request,
    createRouter: () => {
      const router = createRouter({ publicUrl, nonce })
      answerQueriesWith(router.options.context.queryClient, transport)
      return router
    },
    getRouterManifest: () => assets,
  })
  return await handler(({ request, router, responseHeaders }) =>
    renderRouterToStream({
      request,
      router,
      responseHeaders,
      children: (
        <StrictMode>
          <RouterServer router={router} />
        </StrictMode>
      ),
    }),
  )
}
