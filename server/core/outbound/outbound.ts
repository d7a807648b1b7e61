/**
 * The outbound client: every request that the server makes for a user goes through here
 * (docs/behaviour.md, Extraction; measured against 961 hostile URLs, 149 DNS answers, 60 redirects).
 */
import { type Dispatcher, errors } from 'undici'
import { isCertificateCode } from '../refused-certificate.ts'
import { type AllowList, checkUrl, parseAllowList } from './check-url.ts'
import { type Lookup, lookupByDns } from './connector.ts'
import { createHops } from './hops.ts'
import { OutboundError } from './outbound-error.ts'
import { acceptedEncodings, readBody } from './read-body.ts'

const maxRedirects = 5
const totalMs = 10_000
const defaultMaxBytes = 5 * 1024 * 1024

export type OutboundResponse = {
  /** URL of the last hop. */
  url: string
  status: number
  headers: Record<string, string | string[] | undefined>
  /** After decompression. */
  body: Buffer
  /** In lower case and without parameters; '' if the site sends none. */
  contentType: string
}

type GetOptions = {
  /** The Accept header. */
  accept?: string
  /** Limit after decompression. Default: 5 MiB. */
  maxBytes?: number
  signal?: AbortSignal
  /** What an earlier response sent. If the content did not change, the response has the status 304. */
  validators?: Validators | undefined
}

/** The headers by which a site recognises that its content did not change; null if it sent none. */
export type Validators = { etag: string | null; lastModified: string | null }

export type Outbound = {
  /**
   * Fetches a URL with GET and follows redirects. Returns responses of any status. Ends within 10 s.
   * @throws {OutboundError}
   */
  get(url: string, options?: GetOptions): Promise<OutboundResponse>
  /** Closes idle connections, for shutdown. */
  close(): Promise<void>
}

/** Sends requests other than GET: to sites that the operator configured, and to webhooks of users. */
export type Sender = {
  /**
   * Sends one request and returns the response, also if it is a redirect. Ends within 10 s.
   * @throws {OutboundError}
   */
  send(url: string, request: SendOptions): Promise<OutboundResponse>
}

type SendOptions = {
  method: string
  /** All headers of the request. */
  headers: Record<string, string>
  body?: string
  maxBytes?: number
  signal?: AbortSignal
}

export type OutboundOptions = {
  /** Setting OUTBOUND_ALLOW: `host:port` pairs exempt from the address and port rules. */
  allow?: string | readonly string[]
  /** Setting OUTBOUND_PROXY: URL of an http(s) proxy for all requests. */
  proxy?: string | undefined
  /** For tests. Default: the name servers. */
  lookup?: Lookup
  userAgent?: string
}

/** Creates the outbound client. @throws {Error} with a one-line message if `allow` or `proxy` is invalid */
export function createOutbound(options: OutboundOptions = {}): Outbound & Sender {
  const allow = parseAllowList(options.allow ?? [])
  const lookup = options.lookup ?? lookupByDns
  const userAgent = options.userAgent ?? 'Mozilla/5.0 (compatible; Reelmark/1.0)'
  const hops = createHops({ allow, lookup, proxy: options.proxy })

  async function get(
    url: string,
    { accept = '*/*', maxBytes = defaultMaxBytes, signal, validators }: GetOptions = {},
  ): Promise<OutboundResponse> {
    const { etag = null, lastModified = null } = validators ?? {}
    const headers = {
      accept,
      'accept-encoding': acceptedEncodings,
      'accept-language': 'en,*;q=0.5',
      'user-agent': userAgent,
      ...(etag !== null && { 'if-none-match': etag }),
      ...(lastModified !== null && { 'if-modified-since': lastModified }),
    }
    const deadline = deadlineSignal(signal)
    try {
      let hop = checkUrl(url, allow)
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        const response = await hops.request(hop, { method: 'GET', headers, signal: deadline })
        const next = nextHop(response, allow, hop)
        if (next === null) return await readResponse(hop, response, maxBytes)
        hop = next
      }
      throw new OutboundError('too-many-redirects')
    } catch (error) {
      throw toOutboundError(error, deadline, signal)
    }
  }

  async function send(
    url: string,
    { maxBytes = defaultMaxBytes, signal, ...request }: SendOptions,
  ): Promise<OutboundResponse> {
    const deadline = deadlineSignal(signal)
    try {
      const hop = checkUrl(url, allow)
      return await readResponse(hop, await hops.request(hop, { ...request, signal: deadline }), maxBytes)
    } catch (error) {
      throw toOutboundError(error, deadline, signal)
    }
  }

  return { get, send, close: () => hops.close() }
}

function deadlineSignal(signal: AbortSignal | undefined): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(totalMs), ...(signal ? [signal] : [])])
}

/** Returns the checked target of a redirect, or null if the response is not a redirect with a Location header. */
function nextHop(response: Dispatcher.ResponseData, allow: AllowList, from: URL): URL | null {
  const { location } = response.headers
  if (![301, 302, 303, 307, 308].includes(response.statusCode) || location === undefined) return null
  destroyBody(response.body)
  if (typeof location !== 'string' || location === '') throw new OutboundError('bad-redirect')
  try {
    return checkUrl(location, allow, from)
  } catch (cause) {
    const refused = cause instanceof OutboundError && cause.reason === 'not-public'
    throw refused ? cause : new OutboundError('bad-redirect', { cause })
  }
}

async function readResponse(
  hop: URL,
  response: Dispatcher.ResponseData,
  maxBytes: number,
): Promise<OutboundResponse> {
  const { body, headers, statusCode } = response
  try {
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw new OutboundError('too-large')
    const contentType = String(headers['content-type'] ?? '').split(';', 1)[0] ?? ''
    return {
      url: hop.href,
      status: statusCode,
      headers,
      body: await readBody(body, { encoding: headers['content-encoding'], maxBytes }),
      contentType: contentType.trim().toLowerCase(),
    }
  } catch (error) {
    destroyBody(body)
    throw error
  }
}

/** Ends the connection instead of reading the rest, which may be endless. */
function destroyBody(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {})
  body.destroy()
}

function toOutboundError(
  error: unknown,
  deadline: AbortSignal,
  callerSignal: AbortSignal | undefined,
): OutboundError {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError) return cause
  }
  if (callerSignal?.aborted) return new OutboundError('aborted', { cause: error })
  const timedOut =
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  if (deadline.aborted || timedOut) return new OutboundError('too-slow', { cause: error })
  if (error instanceof errors.HeadersOverflowError || error instanceof errors.HTTPParserError) {
    return new OutboundError('bad-answer', { cause: error })
  }
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  const isCertificate = isCertificateCode(code) || /ERR_(?:TLS|SSL)/.test(code)
  return new OutboundError(isCertificate ? 'bad-certificate' : 'unreachable', { cause: error })
}
