import type { Extraction } from '@reelmark/contract/extraction.ts'
import type { Outbound, OutboundResponse } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { normaliseUrl } from '../../../core/video-links/normalise-url.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import { chooseMetadata, isInterstitialOnly } from './choose-metadata.ts'
import { decodePage } from './decode-page.ts'
import { type OembedMetadata, readOembed } from './oembed.ts'
import { type PageMetadata, readPage } from './page-metadata.ts'
import { cleanTags } from './rules.ts'

/** All requests for one link together. Each of them ends within ten seconds by itself. */
const totalMs = 15_000

const pageAccept = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1'

/** Nothing is known about the link; 422. `message` says why, for the person who pasted it. */
export class ExtractionError extends Error {
  override name = 'ExtractionError'
}

export type ExtractOptions = {
  outbound: Pick<Outbound, 'get'>
  /** Our own host names: never embedded. The first is told to players that ask who embeds them. */
  ownHosts?: readonly string[]
  /** The site's popular tags that a title holds. */
  popularTags?: (title: string) => Promise<string[]>
}

type FetchedPage = {
  page: { url: string; facts: PageMetadata } | null
  problem: string | null
  url: string | null
}

/**
 * Determines what a pasted link is (docs/behaviour.md, Extraction): recognises the host from the link alone,
 * then fetches its page and oEmbed document and takes each field from the best source.
 *
 * @throws {ExtractionError} when nothing is known: neither a title, nor a picture, nor a player
 */
export async function extractVideoMetadata(link: string, options: ExtractOptions): Promise<Extraction> {
  const { outbound, ownHosts = [], popularTags } = options
  const url = normaliseUrl(link)
  if (url === null) throw new ExtractionError("This isn't the URL of a web page.")
  const [parentHost] = ownHosts
  const recognise = (text: string) => recogniseVideo(text, parentHost === undefined ? {} : { parentHost })

  const signal = AbortSignal.timeout(totalMs)
  let known = recognise(url)
  const askedOembed = known?.oembed_url ?? null
  const [fetched, directOembed] = await Promise.all([
    fetchPage(known?.canonical_url ?? url, outbound, signal),
    askedOembed === null ? null : fetchOembed(askedOembed, outbound, signal),
  ])

  // Short links and share links tell only by where they lead.
  if (known === null && fetched.url !== null) known = recognise(fetched.url)
  const gate = fetched.page !== null && isInterstitialOnly(fetched.page, known)
  const page = gate ? null : fetched.page
  const laterUrl = findOembedUrl(page) ?? known?.oembed_url ?? null
  const oembed =
    directOembed ??
    (laterUrl === null || laterUrl === askedOembed ? null : await fetchOembed(laterUrl, outbound, signal))

  const chosen = chooseMetadata({
    url,
    known,
    oembed,
    page,
    ownHosts,
    ...(parentHost === undefined ? {} : { parentHost }),
  })
  const { channel_name, adult, ...video } = chosen
  if (known === null && video.title === '' && video.thumbnail_url === null && video.embed_url === null) {
    throw new ExtractionError(
      gate ? interstitialText : (fetched.problem ?? "We couldn't find a video on this page."),
    )
  }

  const missing = [
    video.title === '' && 'Title not found.',
    video.thumbnail_url === null && 'Thumbnail not found.',
    video.embed_url === null && 'No embeddable player found. People will watch this on the original site.',
  ].filter((warning) => warning !== false)
  const problem = gate ? interstitialText : oembed === null ? fetched.problem : null
  const popular = video.title === '' || popularTags === undefined ? [] : await popularTags(video.title)
  return {
    video: { ...video, orientation: 'sfw' },
    suggested_tags: cleanTags([...video.tags, ...popular]),
    channel_name,
    partial: missing.length > 0 || problem !== null,
    warnings: [
      ...(problem === null ? [] : [problem]),
      ...missing,
      ...(adult || known?.adult === true ? ['This looks like adult content. Choose an orientation.'] : []),
    ],
  }
}

const interstitialText = 'The site returned a login, consent or bot-check page instead of the video.'

async function fetchPage(
  url: string,
  outbound: ExtractOptions['outbound'],
  signal: AbortSignal,
): Promise<FetchedPage> {
  let answer: OutboundResponse
  try {
    answer = await outbound.get(url, { accept: pageAccept, signal })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { page: null, url: null, problem: error.message }
  }
  if (answer.status >= 400) {
    return { page: null, url: answer.url, problem: `The site answered with an error (${answer.status}).` }
  }
  if (answer.contentType !== '' && !/html|xml|^text\/plain$/.test(answer.contentType)) {
    return { page: null, url: answer.url, problem: "This isn't the URL of a web page." }
  }
  const html = decodePage(answer.body, String(answer.headers['content-type'] ?? ''))
  return { page: { url: answer.url, facts: await readPage(html) }, url: answer.url, problem: null }
}

/** The page's own link to its oEmbed document. */
function findOembedUrl(page: FetchedPage['page']): string | null {
  const said = page?.facts.oembed
  return page !== null && said && URL.canParse(said, page.url) ? new URL(said, page.url).href : null
}

/** null for any failure: the other sources stand. */
async function fetchOembed(
  url: string,
  outbound: ExtractOptions['outbound'],
  signal: AbortSignal,
): Promise<OembedMetadata | null> {
  try {
    const answer = await outbound.get(url, {
      accept: 'application/json, text/xml;q=0.5',
      maxBytes: 512 * 1024,
      signal,
    })
    if (answer.status !== 200) return null
    return readOembed(decodePage(answer.body, String(answer.headers['content-type'] ?? '')))
  } catch (error) {
    if (error instanceof OutboundError) return null
    throw error
  }
}
