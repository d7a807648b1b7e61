/** Reads from the responses of hosts whether a video is available. Pure functions; all of them take linear time. */
import type { OutboundResponse } from '../../../core/outbound/outbound.ts'
import type { OutboundReason } from '../../../core/outbound/outbound-error.ts'
import type { Outcome } from './outcome.ts'

export type HealthResponse = Pick<OutboundResponse, 'url' | 'status' | 'headers' | 'body' | 'contentType'>
export type ReadOutcome = (response: HealthResponse) => Outcome

/** Errors of the outbound client that mean that the host is down. Others say nothing about the host. */
const downReasons: readonly OutboundReason[] = ['unresolved', 'unreachable', 'too-slow', 'bad-certificate']

/** Returns the outcome of a request that failed. */
export function readError(reason: OutboundReason): Outcome {
  return downReasons.includes(reason) ? 'down' : 'unclear'
}

/** Pages that hosts send instead of what was requested, to everyone or to servers. Lower case, in the first part of a page. */
const interstitialTexts = [
  'just a moment...',
  'attention required! | cloudflare',
  'cf-challenge',
  'ddos-guard',
  'verify that you are a human',
  'verify you are human',
  'are you a robot',
  'are you a human',
  "confirm you're not a bot",
  'confirm you’re not a bot',
  'unusual traffic from your computer network',
  'enable javascript and cookies to continue',
  'px-captcha',
  'captcha-delivery.com',
  'before you continue to ',
  'you have been temporarily blocked',
  '<title>please wait',
]
const interstitialHosts = /^(?:consent|accounts|login|signin|auth|sso|id|challenges)\./
const loginPaths =
  /^\/(?:[\w-]+\/)?(?:accounts\/login|login|log-in|log_in|signin|sign-in|sign_in|servicelogin|checkpoint)(?:[/.]|$)/i
/** Parts of pages that have a player. */
const playerMarks = [
  'property="og:video',
  'twitter:player',
  '"VideoObject"',
  '<video',
  'schema.org/VideoObject',
]
/** Interstitials are small pages, or say what they are at the beginning. */
const interstitialChars = 20_000

/**
 * Returns what the status and address of any response say, or null if its content decides. A 403 says nothing: most hosts
 * send it to servers that they take for robots.
 */
export function readEnvelope({ url, status, headers, body }: HealthResponse): Outcome | null {
  if (status === 429 || headers['cf-mitigated'] !== undefined) return 'unclear'
  const { hostname, pathname } = new URL(url)
  if (loginPaths.test(pathname)) return 'login-required'
  if (interstitialHosts.test(hostname)) return 'unclear'
  if (isInterstitial(body)) return 'unclear'
  if (status >= 500) return 'down'
  // Unavailable for legal reasons, in this country (RFC 7725).
  if (status === 451) return 'region-blocked'
  return null
}

/** JSON and pages with a player are no interstitials, whatever their texts are about. */
function isInterstitial(body: Buffer): boolean {
  const start = body.toString('utf8', 0, interstitialChars)
  if (/^\s*[[{]/.test(start) || playerMarks.some((mark) => start.includes(mark))) return false
  const text = start.toLowerCase()
  return interstitialTexts.some((interstitial) => text.includes(interstitial))
}

/** Reads a JSON response with `read`, which gets an empty object instead of anything else. */
export function readJson(read: (json: Record<string, unknown>, status: number) => Outcome): ReadOutcome {
  return (response) => {
    const envelope = readEnvelope(response)
    if (envelope !== null) return envelope
    return read(parseObject(response.body), response.status)
  }
}

/** Returns the object in a JSON text; an empty one for anything else, which has none of the expected fields. */
export function parseObject(body: Buffer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {}
  } catch {
    return {}
  }
}

/** Returns the object in a field; an empty one if the field is missing or holds something else. */
export function field(json: Record<string, unknown>, name: string): Record<string, unknown> {
  const value = json[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** Returns whether a status says that there is nothing at an address. */
export function isNotFound(status: number): boolean {
  return status === 404 || status === 410
}

/**
 * Reads an oEmbed response (oembed.com, version 1.0): 404 for what does not exist, 401 for what is private. Many hosts also send
 * 401 or 403 for videos that only must not be embedded, which is why the page decides about those.
 */
export const readOembedHealth = readJson((json, status) => {
  if (status === 200 && typeof json.type === 'string' && json.error === undefined) return 'available'
  if (isNotFound(status)) return 'missing'
  return 'unclear'
})

/**
 * Reads an oEmbed response of a host that sends 401 and 403 for private videos. As JSON, because hosts refuse robots with the
 * same statuses and a page.
 */
export const readStrictOembedHealth: ReadOutcome = (response) => {
  const outcome = readOembedHealth(response)
  const isRefused = response.status === 401 || response.status === 403
  const isJson = response.contentType === 'application/json' && readEnvelope(response) === null
  return outcome === 'unclear' && isRefused && isJson ? 'private' : outcome
}

/**
 * A text on the pages of a host, as it is in the HTML, and what it means. Texts that begin with `>` count only on pages without a
 * player, because a comment on a video can begin with the same words.
 */
export type Notice = readonly [outcome: Outcome, text: string]

/** What a page without a notice says: hosts that build pages with scripts send the same page for missing videos. */
type SilentPage = 'available' | 'unclear'

const titleNotices: readonly [Outcome, RegExp][] = [
  [
    'region-blocked',
    /not (?:been made )?available in your (?:country|region|location)|geo-?(?:blocked|restricted)/,
  ],
  ['login-required', /^(?:log ?in|sign ?in)\b|members[- ]only|(?:subscribers|members) only/],
  ['age-restricted', /^age (?:verification|restricted|check)/],
  ['private', /^(?:this )?video is private\b|^private video\b/],
  [
    'missing',
    /^(?:error )?404\b|\b404 (?:not found|error)$|^(?:page|video|file|media|content|item) (?:was |is |has been |could )?(?:not (?:be )?found|removed|deleted|unavailable|no longer available|not available)\b|^(?:sorry, )?(?:this|the|that) (?:video|page|content|media|file) (?:is|was|has been|does|could|can(?:no|')t)\b.{0,20}\b(?:removed|deleted|unavailable|not found|exist|no longer available|not available|be found)\b|^not found\b/,
  ],
]

/**
 * Returns a reader of the pages of a host. Notices count wherever they are in the page, so they must contain markup that users
 * cannot write there, or begin with `>`. The title decides only on pages without a player, because videos have such titles, too.
 */
export function readPage(notices: readonly Notice[] = [], silentPage: SilentPage = 'available'): ReadOutcome {
  return (response) => {
    const envelope = readEnvelope(response)
    if (envelope !== null) return envelope
    const page = response.body.toString('utf8')
    const hasPlayer = playerMarks.some((mark) => page.includes(mark))
    const notice = notices.find(([, text]) => page.includes(text) && !(hasPlayer && text.startsWith('>')))
    if (notice !== undefined) return notice[0]
    if (isNotFound(response.status)) return 'missing'
    if (response.status === 401) return 'login-required'
    if (response.status >= 300) return 'unclear'
    if (/^(?:video|image|audio)\//.test(response.contentType)) return 'available'
    if (hasPlayer) return 'available'
    const title = readTitle(page)
    return titleNotices.find(([, pattern]) => pattern.test(title))?.[0] ?? silentPage
  }
}

/** Returns the title of a page in lower case with plain apostrophes and single spaces; '' without one. */
function readTitle(page: string): string {
  const start = page.slice(0, 200_000)
  const tag = start.search(/<title[\s>]/i)
  const from = tag === -1 ? -1 : start.indexOf('>', tag)
  if (from === -1) return ''
  return start
    .slice(from + 1, from + 301)
    .split('<', 1)
    .join('')
    .toLowerCase()
    .replaceAll(/&#0?39;|&rsquo;|’/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
}
