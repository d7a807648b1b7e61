import type { ExtractedVideo, Extraction } from '@reelmark/contract/extraction.ts'
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { decodePage } from '../../../core/decode-page.ts'
import { hidingFailures } from '../../../core/outbound/hide-failure-duration.ts'
import type { Outbound, OutboundResponse } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { normaliseUrl } from '../../../core/video-links/normalise-url.ts'
import {
  firstLink,
  isKnownHost,
  type RecognisedVideo,
  recogniseVideo,
} from '../../../core/video-links/recognise-video.ts'
import { readStartTime } from '../../../core/video-links/start-time.ts'
import type { YtDlp } from '../../../core/yt-dlp/yt-dlp.ts'
import { choosePlayer } from '../../bookmarks/public-api.ts'
import { chooseMetadata, isInterstitialOnly } from './choose-metadata.ts'
import type { VideoMetadata } from './json-ld.ts'
import { askYtDlp, isTooLittle } from './last-resort.ts'
import { type OembedMetadata, readOembed } from './oembed.ts'
import { findProviderOembedUrl } from './oembed-providers.ts'
import { type PageMetadata, readPage } from './page-metadata.ts'
import { cleanTags } from './rules.ts'

/** The time limit for all requests for one link together. Each request has its own limit of ten seconds. */
const totalMs = 15_000

const pageAccept = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1'

/** Nothing is known about the link; answered with 422. `message` is the reason that the user reads. */
export class ExtractionError extends Error {
  override name = 'ExtractionError'
}

export type ExtractOptions = {
  outbound: Pick<Outbound, 'get'>
  /** Host names of this site, which are never embedded. The first is passed to players that require the embedding site. */
  ownHosts?: readonly string[]
  /** Returns the site's popular tags that occur in a title. */
  popularTags?: (title: string) => Promise<string[]>
  /** Asked last, for videos of which all other sources tell too little. Null: nothing is. */
  ytDlp?: YtDlp | null
  /** Whether no user waits for the result. */
  isInBackground?: boolean
}

type FetchedPage = {
  page: { url: string; facts: PageMetadata } | null
  problem: string | null
  url: string | null
  /** Whether the site answered with a page or refused to, so that another program may find more. */
  isWorthAsking: boolean
}

/**
 * Determines the metadata of a pasted link (docs/behaviour.md, Extraction): recognises the host from the link alone, then
 * fetches its page and oEmbed document and takes each field from the best source.
 *
 * @throws {ExtractionError} if neither a title nor a picture nor a player is found
 */
export async function extractVideoMetadata(
  link: string,
  options: ExtractOptions,
): Promise<Omit<Extraction, 'uploader_destination'>> {
  const { outbound, ownHosts = [], popularTags, ytDlp = null, isInBackground = false } = options
  const [parentHost] = ownHosts
  const recognise = (text: string) => recogniseVideo(text, parentHost === undefined ? {} : { parentHost })
  let known = recognise(link)
  const url = known?.canonical_url ?? normaliseUrl(link) ?? firstLink(link)
  if (url === null) throw new ExtractionError("This isn't the URL of a web page.")

  const signal = AbortSignal.timeout(totalMs)
  const knownOembedUrl = known?.oembed_url ?? findProviderOembedUrl(url)
  let [fetched, directOembed] = await Promise.all([
    fetchPage(url, outbound, signal),
    knownOembedUrl === null ? null : fetchOembed(knownOembedUrl, outbound, signal),
  ])

  if (known === null) {
    known = recogniseTarget(url, fetched, recognise)
    // The page that redirects with a script or a meta tag is not the page of the video.
    if (known !== null && fetched.page !== null && isRedirectPage(fetched.page, recognise)) {
      fetched = await fetchPage(known.canonical_url, outbound, signal)
    }
  }
  const isInterstitialPage = fetched.page !== null && isInterstitialOnly(fetched.page, known)
  const page = isInterstitialPage ? null : fetched.page
  const foundOembedUrl = findOembedUrl(page) ?? known?.oembed_url ?? null
  const oembed =
    directOembed ??
    (foundOembedUrl === null || foundOembedUrl === knownOembedUrl
      ? null
      : await fetchOembed(foundOembedUrl, outbound, signal))

  const choose = (lastResort: VideoMetadata | null) =>
    chooseMetadata({
      url,
      known,
      oembed,
      page,
      lastResort,
      ownHosts,
      ...(parentHost === undefined ? {} : { parentHost }),
    })
  let chosen = choose(null)
  const isAsked = ytDlp !== null && fetched.isWorthAsking && isTooLittle(chosen, isInBackground)
  const lastResort = isAsked ? await askYtDlp(ytDlp, known?.canonical_url ?? url, signal) : null
  if (lastResort !== null) chosen = choose(lastResort)
  const { adult, pictures, ...video } = chosen
  if (known === null && video.title === '' && video.thumbnail_url === null && video.embed_url === null) {
    throw new ExtractionError(
      isInterstitialPage ? interstitialText : (fetched.problem ?? "We couldn't find a video on this page."),
    )
  }

  const missing = [
    video.title === '' && 'Title not found.',
    video.thumbnail_url === null && 'Thumbnail not found.',
    video.embed_url === null && 'No embeddable player found. People will watch this on the original site.',
  ].filter((warning) => warning !== false)
  const pageProblem = isInterstitialPage ? interstitialText : oembed === null ? fetched.problem : null
  const problem = lastResort !== null && video.title !== '' ? null : pageProblem
  const popular = video.title === '' || popularTags === undefined ? [] : await popularTags(video.title)
  return {
    video: { ...video, orientation: 'sfw' },
    player: playerKind(video, parentHost),
    suggested_tags: cleanTags([...video.tags, ...popular]),
    channel_name: video.uploader_name,
    // A short link's redirect may name the time.
    start_seconds: readStartTime(link) ?? (fetched.url === null ? null : readStartTime(fetched.url)),
    pictures,
    partial: missing.length > 0 || problem !== null,
    warnings: [
      ...(problem === null ? [] : [problem]),
      ...missing,
      ...(adult || known?.adult === true ? ['This looks like adult content. Choose an orientation.'] : []),
    ],
  }
}

/** Returns the video that a short link, a share link or a clip leads to: by its redirects, or by what the page calls itself. */
function recogniseTarget(
  url: string,
  { page, url: final }: FetchedPage,
  recognise: (text: string) => RecognisedVideo | null,
): RecognisedVideo | null {
  const redirected = final === null ? null : recognise(final)
  if (redirected !== null || page === null) return redirected
  const refreshed = recognise(redirectTarget(page) ?? '')
  if (refreshed !== null) return refreshed
  // Only a page of the same site knows; on others, such a link is one to a video elsewhere.
  const isOnHost = isKnownHost(new URL(page.url).hostname) || isKnownHost(new URL(url).hostname)
  if (!isOnHost) return null
  const names = [page.facts.links.get('canonical'), page.facts.meta.get('og:url')?.[0]]
  return (
    names
      .map((name) => recognise(parseUrl(name ?? '', page.url)?.href ?? ''))
      .find((video) => video !== null) ?? null
  )
}

/** Returns the target of `<meta http-equiv="refresh" content="0; url=…">`, or null. */
function redirectTarget(page: NonNullable<FetchedPage['page']>): string | null {
  const content = page.facts.meta.get('refresh')?.[0]?.slice(0, 4096) ?? ''
  const target = /\burl\s{0,5}=\s{0,5}["']?([^"'\s]{1,2048})/i.exec(content)?.[1]
  return target === undefined ? null : (parseUrl(target, page.url)?.href ?? null)
}

function isRedirectPage(
  page: NonNullable<FetchedPage['page']>,
  recognise: (text: string) => RecognisedVideo | null,
): boolean {
  return recognise(page.url) === null && recognise(redirectTarget(page) ?? '') !== null
}

/** Returns `known` only if the found player is the one that the server itself builds for a known host. */
function playerKind(
  video: Pick<ExtractedVideo, 'source_url' | 'embed_url'>,
  parentHost = 'localhost',
): Extraction['player'] {
  if (video.embed_url === null) return null
  const { embed_url, player } = choosePlayer(video, parentHost)
  return embed_url === video.embed_url ? player : 'other'
}

const interstitialText = 'The site returned a login, consent or bot-check page instead of the video.'

async function fetchPage(
  url: string,
  outbound: ExtractOptions['outbound'],
  signal: AbortSignal,
): Promise<FetchedPage> {
  let response: OutboundResponse
  try {
    response = await hidingFailures(outbound).get(url, { accept: pageAccept, signal })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { page: null, url: null, problem: error.message, isWorthAsking: false }
  }
  const failed = (problem: string, isWorthAsking: boolean) => ({
    page: null,
    url: response.url,
    problem,
    isWorthAsking,
  })
  if (response.status >= 400) {
    const isGone = response.status === 404 || response.status === 410
    return failed(`The site answered with an error (${response.status}).`, !isGone)
  }
  if (response.contentType !== '' && !/html|xml|^text\/plain$/.test(response.contentType)) {
    return failed("This isn't the URL of a web page.", false)
  }
  const header = String(response.headers['content-type'] ?? '')
  const html = await decodePage(response.body, header, new URL(response.url).hostname)
  return {
    page: { url: response.url, facts: await readPage(html) },
    url: response.url,
    problem: null,
    isWorthAsking: true,
  }
}

/** Returns the page's own link to its oEmbed document, or null. */
function findOembedUrl(page: FetchedPage['page']): string | null {
  const href = page?.facts.oembed
  return page !== null && href ? (parseUrl(href, page.url)?.href ?? null) : null
}

/** Fetches an oEmbed document. Returns null for any failure, because the other sources remain. */
async function fetchOembed(
  url: string,
  outbound: ExtractOptions['outbound'],
  signal: AbortSignal,
): Promise<OembedMetadata | null> {
  try {
    const response = await outbound.get(url, {
      accept: 'application/json, text/xml;q=0.5',
      maxBytes: 512 * 1024,
      signal,
    })
    if (response.status !== 200) return null
    return readOembed(await decodePage(response.body, String(response.headers['content-type'] ?? '')))
  } catch (error) {
    if (error instanceof OutboundError) return null
    throw error
  }
}
