import { isCallError, type Transport } from '@reelmark/contract/protocol/call.ts'
import type { SiteContact } from '@reelmark/contract/site-contact.ts'
import {
  createRequestHandler,
  createSsrStreamResponse,
  getSsrStatus,
  RouterServer,
  transformReadableStreamWithRouter,
} from '@tanstack/react-router/ssr/server'
import { StrictMode } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { builtAssets, developmentAssets, type PageAssets } from '../build/page-assets.ts'
import { setServerTransport } from '../shared/api/query-api.ts'
import { parseSearch, stringifySearch } from '../shared/api/query-string.ts'
import { createRouter } from './router.tsx'

/** Builds the assets of a page's head, from a build or in development. */
export const assets = { built: builtAssets, development: developmentAssets }

export interface PageRequest {
  /** URL, method, headers and abort signal. Cookies and tokens are ignored: pages are rendered for a visitor. */
  request: Request
  transport: Transport
  nonce: string
  /** Without a trailing slash. */
  publicUrl: string
  siteContact: SiteContact
  /** Created once with `assets` above. */
  assets: PageAssets
}

/** Matches addresses with routes; it loads and renders nothing. */
const matcher = createRouter({ publicUrl: '' })

/**
 * Returns the address of a page with exactly what the page reads of it: the path in its usual spelling and the valid
 * parameters of its route. Returns null if no route matches.
 */
export function canonicalPath({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string | null {
  const [matchedRoutes, params, route] = matcher.getMatchedRoutes(decodeUnreserved(pathname))
  if (route === undefined || route.fullPath === '/$') return null
  const sent = parseSearch(search)
  const read = matchedRoutes.map(({ options }) =>
    typeof options.validateSearch === 'function' ? options.validateSearch(sent) : {},
  )
  const values = Object.assign({}, ...read) as Record<string, unknown>
  const path = String(route.fullPath)
    .split('/')
    .map((segment) => {
      const name = /^(?:\{-)?\$(\w+)\}?$/.exec(segment)?.[1]
      return name === undefined ? segment : encodeURIComponent(params[name] ?? '')
    })
    .filter((segment) => segment !== '')
  return `/${path.join('/')}${stringifySearch(values)}`
}

/** Decodes what needs no encoding (RFC 3986, section 6.2.2.2): `/%65xplore` is `/explore`. */
function decodeUnreserved(pathname: string): string {
  return pathname.replace(/%[0-7][0-9a-f]/gi, (code) => {
    const character = decodeURIComponent(code)
    return /[\w.~-]/.test(character) ? character : code
  })
}

/** Renders a page: HTML with status 200, 404, 500 or 503, or a redirect. */
export async function render({
  request,
  transport,
  nonce,
  publicUrl,
  siteContact,
  assets,
}: PageRequest): Promise<Response> {
  const handler = createRequestHandler({
    request,
    createRouter: () => {
      const router = createRouter({ publicUrl, siteContact, nonce })
      setServerTransport(router.options.context.queryClient, transport)
      return router
    },
    getRouterManifest: () => assets,
  })
  return await handler(({ router, responseHeaders }) => renderCompletePage(router, responseHeaders))
}

/**
 * Renders a page completely before sending it. The router's `renderRouterToStream` streams parts that suspend, for
 * example the first page that needs a module, and inserts them with scripts. Those scripts failed when hydration had
 * already replaced the insertion point.
 */
async function renderCompletePage(router: ReturnType<typeof createRouter>, headers: Headers) {
  try {
    const stream = await renderToReadableStream(
      <StrictMode>
        <RouterServer router={router} />
      </StrictMode>,
      // No size limit, so that React never defers content.
      { nonce: router.options.ssr?.nonce, progressiveChunkSize: Number.POSITIVE_INFINITY },
    )
    // Reading starts only after everything has rendered, so all parts are in place.
    await stream.allReady
    const html = transformReadableStreamWithRouter(router, stream, { rendererSafePoint: 'script-close' })
    const response = new Response(html as BodyInit, { status: resultStatus(router), headers })
    return createSsrStreamResponse(router, response)
  } catch (error) {
    router.serverSsr?.cleanup()
    throw error
  }
}

/** Returns 503 if the API answered a loader with 503, as while the database restarts; else what the router decided. */
function resultStatus(router: ReturnType<typeof createRouter>): number {
  return router.state.matches.some(({ error }) => isUnavailable(error)) ? 503 : getSsrStatus(router)
}

function isUnavailable(error: unknown): boolean {
  if (isCallError(error)) return error.status === 503
  return error instanceof Error && isUnavailable(error.cause)
}
