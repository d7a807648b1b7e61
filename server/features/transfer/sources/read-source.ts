/** Reads the videos of an address: a playlist, a channel, a feed, or any page. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { decodePage } from '../../../core/decode-page.ts'
import { hidingFailures } from '../../../core/outbound/hide-failure-duration.ts'
import type { Outbound, OutboundResponse, Validators } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { isTemporaryFailure, readRetryAfter } from '../../../core/outbound/retry-after.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import type { RawItem } from '../formats/imported-item.ts'
import { type Feed, isXmlFeed, readJsonFeed, readXmlFeed } from './read-feed.ts'
import { readPageVideos } from './read-page-videos.ts'
import { type ApiList, planSource } from './site-lists.ts'

/** Requests for one address, and milliseconds between two of them. */
const maxRequests = 25
const maxListPages = 20
const pauseMs = 1000
/** Characters of a text of an item, and its tags, that are kept: a list can have 25 responses of 5 MB. */
const maxText = 20_000
const maxTags = 200
/** Milliseconds for all requests for one address. */
const totalMs = 2 * 60 * 1000

/** What was found at an address. */
export interface SourceList {
  /** Blank if it has none. */
  title: string
  /** Whether all items are videos. If not, those are that the site tells from their links. */
  isVideoList: boolean
  /** The newest, or the first of a playlist, first. */
  items: RawItem[]
  /** The feed that was read, with what it sent to recognise that it did not change; null if it was no feed. */
  feed: ({ url: string } & Validators) | null
  /** Why a later page could not be read, so that the last items are missing; null: everything was read. */
  missing: string | null
}

/** The feed did not change since its validators were sent. */
export class SourceUnchanged extends Error {
  override name = 'SourceUnchanged'
}

/** An address that cannot be read. `message` is for the user. */
export class SourceError extends Error {
  override name = 'SourceError'
  /** Whether a later attempt may succeed. */
  readonly isTemporary: boolean
  /** In seconds; 0 if the site does not ask to wait. */
  readonly retryAfter: number

  constructor(message: string, isTemporary = false, retryAfter = 0) {
    super(message)
    this.isTemporary = isTemporary
    this.retryAfter = retryAfter
  }
}

interface ReadOptions {
  pause?: number
  /** Whether only the first page is read of feeds, and of lists that begin with the newest. */
  newestOnly?: boolean
  /** Of the feed at the address, sent with the first request. */
  validators?: Validators
  /** Called before each request. */
  onRequest?: () => Promise<void>
}

interface Fetched {
  url: string
  text: string
  validators: Validators
}

type Fetch = (url: string, accept: string) => Promise<Fetched>

/**
 * Returns the videos of an address, up to `sourceItemsMax`. Only a feed can have none.
 * @param link http or https
 * @throws {SourceError}
 * @throws {SourceUnchanged} only with `validators`
 */
export async function readSource(
  outbound: Pick<Outbound, 'get'>,
  link: string,
  options: ReadOptions = {},
): Promise<SourceList> {
  const fetch = createFetch(outbound, options)
  const maxPages = options.newestOnly === true ? 1 : maxListPages
  const { feedUrl, list, hasFeedOnly } = planSource(new URL(link))
  const found =
    (feedUrl === null ? null : await orNull(readFeedAt(fetch, feedUrl, maxPages))) ??
    (list === null
      ? null
      : await orNull(readApiList(fetch, list, list.isNewestFirst ? maxPages : maxListPages))) ??
    (await readPage(fetch, link, hasFeedOnly, maxPages))
  return { ...found, items: found.items.slice(0, limits.sourceItemsMax) }
}

/** Returns null instead of a failure that will not pass: the page of the address remains. */
async function orNull(reading: Promise<SourceList>): Promise<SourceList | null> {
  try {
    const found = await reading
    return found.items.length === 0 ? null : found
  } catch (error) {
    if (error instanceof SourceError && !error.isTemporary) return null
    throw error
  }
}

/** Returns a function that requests one address after the other. */
function createFetch(
  outbound: Pick<Outbound, 'get'>,
  { pause = pauseMs, onRequest, validators }: ReadOptions,
): Fetch {
  const signal = AbortSignal.timeout(totalMs)
  let requests = 0
  return async (url, accept) => {
    if (requests > 0) await sleep(pause)
    if (requests === maxRequests) throw new SourceError('This address needs too many requests.')
    requests += 1
    await onRequest?.()
    const response = await get(outbound, url, { accept, signal, ...(requests === 1 && { validators }) })
    if (response.status === 304 && requests === 1 && validators !== undefined) throw new SourceUnchanged()
    requireSuccess(response)
    const header = (name: string) => {
      const value = response.headers[name]
      return typeof value === 'string' ? value : null
    }
    return {
      url: response.url,
      text: await decodePage(response.body, header('content-type') ?? ''),
      validators: { etag: header('etag'), lastModified: header('last-modified') },
    }
  }
}

async function get(
  outbound: Pick<Outbound, 'get'>,
  url: string,
  options: Parameters<Outbound['get']>[1],
): Promise<OutboundResponse> {
  try {
    return await hidingFailures(outbound).get(url, options)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new SourceError(error.message, error.isUnreachable)
  }
}

function requireSuccess(response: OutboundResponse): void {
  const { status } = response
  if (status < 400) return
  if (isTemporaryFailure(response)) {
    throw new SourceError('The site is busy. Try again later.', true, readRetryAfter(response, Date.now()))
  }
  if (status === 401 || status === 403) throw new SourceError('The site shows this only to some visitors.')
  throw new SourceError(`The site answered with an error (${status}).`)
}

const feedAccept =
  'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5'

/** @throws {SourceError} if there is no feed at an address */
async function readFeedAt(fetch: Fetch, url: string, maxPages: number): Promise<SourceList> {
  const fetched = await fetch(url, feedAccept)
  const feed = await parseFeed(fetched)
  if (feed === null) throw nothingFound()
  return { ...(await readFurtherPages(fetch, feed, maxPages)), feed: { url, ...fetched.validators } }
}

/** Returns the feed that a response contains, or null. */
async function parseFeed({ url, text }: Fetched): Promise<Feed | null> {
  if (isXmlFeed(text)) return readXmlFeed(text, url)
  return /^\ufeff?\s*\{/.test(text) ? readJsonFeed(parseJson(text), url) : null
}

async function readFurtherPages(
  fetch: Fetch,
  first: Feed,
  maxPages: number,
): Promise<Omit<SourceList, 'feed'>> {
  const { title, isVideoFeed } = first
  const items = first.items.map(limitTexts)
  const read = new Set<string>()
  let next = first.nextUrl
  let missing: string | null = null
  while (
    next !== null &&
    !read.has(next) &&
    items.length < limits.sourceItemsMax &&
    read.size + 1 < maxPages
  ) {
    read.add(next)
    const response = await orReason(fetch(next, feedAccept))
    if (typeof response === 'string') {
      missing = response
      break
    }
    const page = await parseFeed(response)
    if (page === null || page.items.length === 0) break
    items.push(...page.items.map(limitTexts))
    next = page.nextUrl
  }
  return { title, isVideoList: isVideoFeed, items, missing }
}

/** Returns the text for the user if a further page cannot be read. What was read before is used nevertheless. */
async function orReason(fetching: Promise<Fetched>): Promise<Fetched | string> {
  try {
    return await fetching
  } catch (error) {
    if (error instanceof SourceError) return error.message
    throw error
  }
}

/** Returns an item with nothing but texts, longer than what imports read of them. A response can have anything in their place. */
function limitTexts({ url, title, description, tags }: RawItem): RawItem {
  const text = (value: unknown, max = maxText) =>
    typeof value === 'string' ? value.slice(0, max) : undefined
  return {
    url: text(url),
    title: text(title),
    description: text(description),
    tags: Array.isArray(tags) ? tags.slice(0, maxTags).map((tag) => text(tag, limits.tagMax * 2)) : undefined,
  }
}

async function readApiList(fetch: Fetch, list: ApiList, maxPages: number): Promise<SourceList> {
  const accept = 'application/json'
  const title = list.readTitle(parseJson((await fetch(list.aboutUrl, accept)).text))
  const items: RawItem[] = []
  for (let page = 0; page < maxPages && items.length < limits.sourceItemsMax; page++) {
    const fetching = fetch(list.pageUrl(page), accept)
    const response = page === 0 ? await fetching : await orReason(fetching)
    if (typeof response === 'string')
      return { title, isVideoList: true, items, feed: null, missing: response }
    const found = list.readPage(parseJson(response.text))
    items.push(...found.items.map(limitTexts))
    if (!found.hasMore) break
  }
  return { title, isVideoList: true, items, feed: null, missing: null }
}

async function readPage(
  fetch: Fetch,
  link: string,
  hasFeedOnly: boolean,
  maxPages: number,
): Promise<SourceList> {
  const fetched = await fetch(link, 'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.5')
  const feed = await parseFeed(fetched)
  if (feed !== null) {
    const found = await readFurtherPages(fetch, feed, maxPages)
    return { ...found, feed: { url: link, ...fetched.validators } }
  }
  const page = await readPageVideos(fetched.text, fetched.url)
  if (page.feedUrl !== null && (hasFeedOnly || page.items.length === 0)) {
    const found = await orNull(readFeedAt(fetch, page.feedUrl, maxPages))
    if (found !== null) return found
  }
  const itself = recogniseVideo(fetched.url) ?? recogniseVideo(link)
  const items = page.items.length > 0 || itself === null ? page.items : [{ url: itself.canonical_url }]
  if (items.length === 0) throw nothingFound()
  return { title: page.title, isVideoList: true, items, feed: null, missing: null }
}

export function nothingFound(): SourceError {
  return new SourceError("We couldn't find videos at this address.")
}

/** @throws {SourceError} */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw nothingFound()
  }
}
