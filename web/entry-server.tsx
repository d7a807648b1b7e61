import { isCallError, type Transport } from '@reelmark/contract/call.ts'
import type { Community } from '@reelmark/contract/community.ts'
import {
  createRequestHandler,
  createSsrStreamResponse,
  getSsrStatus,
  RouterServer,
  transformReadableStreamWithRouter,
} from '@tanstack/react-router/ssr/server'
import { StrictMode } from 'react'
import { renderToReadableStream } from 'react-dom/server'
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
  community: Community
  /** Made once, by `assets` above. */
  assets: PageAssets
}

/** Renders a page: 200, 404, 500 or 503 with HTML, or a redirect. */
export async function render({
  request,
  transport,
  nonce,
  publicUrl,
  community,
  assets,
}: PageRequest): Promise<Response> {
  const handler = createRequestHandler({
    request,
    createRouter: () => {
      const router = createRouter({ publicUrl, community, nonce })
      answerQueriesWith(router.options.context.queryClient, transport)
      return router
    },
    getRouterManifest: () => assets,
  })
  return await handler(({ router, responseHeaders }) => renderWhole(router, responseHeaders))
}

/**
 * A page in one piece. The router's own `renderRouterToStream` sends what is there when the first part is, and patches
 * in the rest by scripts: of whichever page was the first to need a module. Where hydration had replaced the place of
 * such a part before its script ran, that script failed.
 */
async function renderWhole(router: ReturnType<typeof createRouter>, headers: Headers) {
  try {
    const stream = await renderToReadableStream(
      <StrictMode>
        <RouterServer router={router} />
      </StrictMode>,
      // However much of it waited: nothing is put aside for later.
      { nonce: router.options.ssr?.nonce, progressiveChunkSize: Number.POSITIVE_INFINITY },
    )
    // Nothing has read from it so far, so what has come meanwhile stands where it belongs.
    await stream.allReady
    const html = transformReadableStreamWithRouter(router, stream, { rendererSafePoint: 'script-close' })
    const response = new Response(html as BodyInit, { status: statusOf(router), headers })
    return createSsrStreamResponse(router, response)
  } catch (error) {
    router.serverSsr?.cleanup()
    throw error
  }
}

/** Returns 503 if a loader's call was answered with 503, as while the database restarts; else what the router says. */
function statusOf(router: ReturnType<typeof createRouter>): number {
  return router.state.matches.some(({ error }) => isUnavailable(error)) ? 503 : getSsrStatus(router)
}

function isUnavailable(error: unknown): boolean {
  if (isCallError(error)) return error.status === 503
  return error instanceof Error && isUnavailable(error.cause)
}
