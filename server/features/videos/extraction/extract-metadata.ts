import type { ExtractedVideo, Extraction } from '@reelmark/contract/extraction.ts'
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { decodePage } from '../../../core/decode-page.ts'
import { hideFailureDuration } from '../../../core/outbound/hide-failure-duration.ts'
import type { Outbound, OutboundResponse } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { normaliseUrl } from '../../../core/video-links/normalise-url.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import { readStartTime } from '../../../core/video-links/start-time.ts'
import { choosePlayer } from '../../bookmarks/public-api.ts'
import { chooseMetadata, isInterstitialOnly } from './choose-metadata.ts'
import { type OembedMetadata, readOembed } from './oembed.ts'
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
}

type FetchedPage = {
  page: { url: string; facts: PageMetadata } | null
  problem: string | null
  url: string | null
}

/**
 * Determines the metadata of a pasted link (docs/behaviour.md, Extraction): recognises the host from the link alone, then
 * fetches its page and oEmbed document and takes each field from the best source.
 *
 * @throws {ExtractionError} if neither a title nor a picture nor a player is found
 */
export async function extractVideoMetadata(link: string, options: ExtractOptions): Promise<Extraction> {
  const { outbound, ownHosts = [], popularTags } = options
  const url = normaliseUrl(link)
  if (url === null) throw new ExtractionError("This isn't the URL of a web page.")
  const [parentHost] = ownHosts
  const recognise = (text: string) => recogniseVideo(text, parentHost === undefined ? {} : { parentHost })

  const signal = AbortSignal.timeout(totalMs)
  let known = recognise(url)
  const knownOembedUrl = known?.oembed_url ?? null
  const [fetched, directOembed] = await Promise.all([
    fetchPage(known?.canonical_url ?? url, outbound, signal),
    knownOembedUrl === null ? null : fetchOembed(knownOembedUrl, outbound, signal),
  ])

  // Short links and share links are recognised only by their redirect.
  if (known === null && fetched.url !== null) known = recognise(fetched.url)
  const isInterstitialPage = fetched.page !== null && isInterstitialOnly(fetched.page, known)
  const page = isInterstitialPage ? null : fetched.page
  const foundOembedUrl = findOembedUrl(page) ?? known?.oembed_url ?? null
  const oembed =
    directOembed ??
    (foundOembedUrl === null || foundOembedUrl === knownOembedUrl
      ? null
      : await fetchOembed(foundOembedUrl, outbound, signal))

  const chosen = chooseMetadata({
    url,
    known,
    oembed,
    page,
    ownHosts,
    ...(parentHost === undefined ? {} : { parentHost }),
  })
  const { channel_name, adult, pictures, ...video } = chosen
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
  const problem = isInterstitialPage ? interstitialText : oembed === null ? fetched.problem : null
  const popular = video.title === '' || popularTags === undefined ? [] : await popularTags(video.title)
  return {
    video: { ...video, orientation: 'sfw' },
    player: playerKind(video, parentHost),
    suggested_tags: cleanTags([...video.tags, ...popular]),
    channel_name,
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
  const startedAt = performance.now()
  try {
    response = await outbound.get(url, { accept: pageAccept, signal })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    await hideFailureDuration(error, startedAt)
    return { page: null, url: null, problem: error.message }
  }
  if (response.status >= 400) {
    return { page: null, url: response.url, problem: `The site answered with an error (${response.status}).` }
  }
  if (response.contentType !== '' && !/html|xml|^text\/plain$/.test(response.contentType)) {
    return { page: null, url: response.url, problem: "This isn't the URL of a web page." }
  }
  const html = await decodePage(response.body, String(response.headers['content-type'] ?? ''))
  return { page: { url: response.url, facts: await readPage(html) }, url: response.url, problem: null }
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
