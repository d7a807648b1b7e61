/** Server-side rendering of the web: from the build in production, through Vite with hot reloading in development. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { CallRequest, CallResponse, Transport } from '@reelmark/contract/protocol/call.ts'
import type { SiteContact } from '@reelmark/contract/site-contact.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from './errors.ts'
import { callUncounted } from './rate-limits.ts'
import { strictPolicy } from './security-headers.ts'

const webFolder = fileURLToPath(new URL('../../../web', import.meta.url))

export interface SsrOptions {
  /** `production` requires a build; `development` compiles on request. */
  mode: 'production' | 'development'
  /** Without a trailing slash. */
  publicUrl: string
  siteContact: SiteContact
}

/** The exports of web/ssr/entry-server.tsx, declared again because the server only loads the built file. */
interface EntryServer {
  canonicalPath: (address: Pick<URL, 'pathname' | 'search'>) => string | null
  assets: { built: (manifest: string) => unknown; development: (preamble: string) => unknown }
  render: (page: {
    request: Request
    transport: Transport
    nonce: string
    publicUrl: string
    siteContact: SiteContact
    assets: unknown
  }) => Promise<Response>
}

/** Returns the web: loaded once in production, and again after each change in development. */
type LoadWeb = () => Promise<{ entry: EntryServer; assets: unknown }>

/**
 * Serves the client's files, and a page for every other path. Call it after registering all other GET routes, because
 * its route matches every path.
 */
export async function registerSsr(
  app: FastifyInstance,
  { mode, publicUrl, siteContact }: SsrOptions,
): Promise<void> {
  const load = mode === 'development' ? await serveDevelopmentWeb(app) : await serveBuiltWeb(app)
  const config = { isPage: true, addressLimit: 'page' } as const
  app.get('/*', { config, errorHandler: sendErrorPage }, async (request, reply) => {
    const { entry, assets } = await load()
    const address = readAddress(request, publicUrl)
    const canonicalPath = entry.canonicalPath(address)
    // What a page does not read would otherwise be rendered, and cached, once for each of its values.
    if (canonicalPath !== null && canonicalPath !== address.pathname + address.search) {
      const isStable = entry.canonicalPath(new URL(canonicalPath, publicUrl)) === canonicalPath
      if (isStable) return reply.redirect(canonicalPath)
    }
    const renderPage = () =>
      entry.render({
        request: new Request(address),
        transport: inProcessTransport(app, request),
        nonce: reply.cspNonce,
        publicUrl,
        siteContact,
        assets,
      })
    if (mode === 'development') {
      const { status, headers, body } = await renderPage()
      const stream = body === null ? '' : Readable.fromWeb(body as ReadableStream<Uint8Array>)
      return sendPage(reply, { status, headers: [...headers] }, stream)
    }
    const key = `page ${address.pathname}${address.search}`
    const page = await app.deps.visitorCache.getOrCreate(key, async () => {
      const response = await renderPage()
      // Each response needs its own nonce, so the cached page is split where the nonce goes.
      const body = (await response.text()).split(reply.cspNonce)
      return { status: response.status, headers: [...response.headers], body }
    })
    return sendPage(reply, page, page.body.join(reply.cspNonce))
  })
}

/** Sends an error as HTML instead of JSON, because the response is shown to a user. */
function sendErrorPage(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (reply.raw.destroyed) return reply.hijack()
  reply.type('text/html; charset=utf-8')
  if (error instanceof ApiError) {
    if (error.retryAfter !== null) reply.header('retry-after', String(Math.ceil(error.retryAfter)))
    return reply.code(error.status).send(plainPage(error.message, error.message, ''))
  }
  request.log.error({ err: error }, 'a page could not be rendered')
  return reply.code(500).send(errorPage)
}

/** Creates the transport for a page's API calls: in-process, from the same address, without a token. */
function inProcessTransport(app: FastifyInstance, request: FastifyRequest): Transport {
  return async ({ method, url, headers, body }: CallRequest): Promise<CallResponse> => {
    const reply = await callUncounted(() =>
      app.inject({
        method,
        url,
        headers,
        remoteAddress: request.ip,
        ...(body === null ? {} : { payload: body }),
      }),
    )
    return {
      status: reply.statusCode,
      headers: { get: (name) => reply.headers[name.toLowerCase()]?.toString() ?? null },
      body: reply.body === '' ? null : JSON.parse(reply.body),
    }
  }
}

/** Returns the URL of a page on this site. */
function readAddress(request: FastifyRequest, publicUrl: string): URL {
  // Only the path comes from the client: '//evil.example/' must not become another origin.
  const url = new URL(publicUrl)
  const [pathname = '/', ...search] = request.url.split('?')
  url.pathname = pathname.replace(/^\/+/, '/')
  url.search = search.join('?')
  return url
}

function sendPage(
  reply: FastifyReply,
  { status, headers }: { status: number; headers: [string, string][] },
  body: string | Readable,
): FastifyReply {
  reply.code(status)
  for (const [name, value] of headers) reply.header(name, value)
  // Pages contain a nonce, so browsers must revalidate them except for back navigation.
  reply.header('cache-control', 'no-cache')
  return reply.send(body)
}

async function serveBuiltWeb(app: FastifyInstance): Promise<LoadWeb> {
  const client = path.join(webFolder, 'dist/client')
  const entryFile = path.join(webFolder, 'dist/server/entry-server.js')
  const entry = (await import(pathToFileURL(entryFile).href)) as EntryServer
  const assets = entry.assets.built(await readFile(path.join(client, '.vite/manifest.json'), 'utf8'))
  app.addHook('onRoute', (route) => {
    if (route.config?.isPage !== true) route.config = { ...route.config, addressLimit: 'file' }
  })
  await app.register(fastifyStatic, {
    root: client,
    // One route per file: all other paths are pages.
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      // File names in assets/ contain a hash of the content.
      const isImmutable = file.startsWith(path.join(client, 'assets') + path.sep)
      reply.header(
        'cache-control',
        isImmutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      )
      if (isImmutable) reply.header('content-security-policy', strictPolicy)
    },
  })
  return async () => ({ entry, assets })
}

async function serveDevelopmentWeb(app: FastifyInstance): Promise<LoadWeb> {
  const { createServer } = await import('vite')
  const { default: react } = await import('@vitejs/plugin-react')
  const vite = await createServer({
    configFile: path.join(webFolder, 'vite.config.ts'),
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  })
  app.addHook('onClose', () => vite.close())
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/api/') || request.url.startsWith('/media/')) done()
    else vite.middlewares(request.raw, reply.raw, done)
  })
  const preamble = react.preambleCode.replace('__BASE__', '/')
  return async () => {
    const entry = (await vite.ssrLoadModule('/ssr/entry-server.tsx')) as EntryServer
    return { entry, assets: entry.assets.development(preamble) }
  }
}

const errorPage = plainPage(
  'Something went wrong',
  'Something went wrong',
  "We couldn't load this page. Try again in a moment.",
)

/** Sends the error page for a URL that the router cannot parse. */
export function sendNotFoundPage(reply: FastifyReply): FastifyReply {
  const page = plainPage(
    'Page not found',
    'Page not found',
    'The link may be wrong, or the page may have been removed.',
  )
  return reply.code(404).type('text/html; charset=utf-8').send(page)
}

/** Returns an error page without scripts and styles, which may be what failed. */
function plainPage(title: string, heading: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><h1>${heading}</h1><p>${text} <a href="/">Go back home</a></p></body>
</html>
`
}
