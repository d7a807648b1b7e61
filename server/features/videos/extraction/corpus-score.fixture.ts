/** Compares what the server finds with what other projects expect (../shared/corpora/extraction), field by field. */
import { readdirSync } from 'node:fs'
import type { Extraction } from '@reelmark/contract/extraction.ts'
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { normaliseUrl } from '../../../core/video-links/normalise-url.ts'
import { isKnownHost, recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import type { openCorpus } from '../../../testing/corpora.ts'
import { type ServedResponse, serveResponses } from './corpus-server.fixture.ts'
import { ExtractionError, extractVideoMetadata } from './extract-metadata.ts'

type Corpus = ReturnType<typeof openCorpus>

/** How many values are right, wrong and missing, and the cases that are not right. */
export type Score = { right: number; wrong: number; missing: number; failures: string[] }

type Accept = {
  title: string[]
  image: string[]
  embed: string[]
  author: string[]
  duration_s: number[]
  orientation: string | null
}

type ExpectedPage = {
  url: string | null
  content_type_header: string | null
  http_status: number | null
  accept: Accept
  accept_html_only: Accept
  upstream: { oembed?: object } | null
}

type Verdict = 'right' | 'wrong' | 'missing'

/** The shares of values that must be right. */
export const minimums = { title: 0.97, picture: 0.97, player: 0.95, links: 0.95 }

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const absolute = (text: string, base: string) => parseUrl(text, base)?.href ?? ''

/**
 * Extracts every stored page that has a video or other content.
 * @param list `accept_html_only`: the pages alone; `accept`: those whose oEmbed document is stored, with it
 */
export async function scorePages(
  corpus: Corpus,
  list: 'accept' | 'accept_html_only',
): Promise<Record<string, Score>> {
  const scores: Record<string, Score> = {}
  for (const name of pageNames(corpus)) {
    const expected = corpus.json<ExpectedPage>(`pages/${name}.expected.json`)
    const hasOembed = expected.upstream?.oembed !== undefined
    if (name.startsWith('gated') || (list === 'accept' && !hasOembed)) continue
    const { found, base } = await extractPage(corpus, name, { withOembed: list === 'accept' })
    for (const [field, verdict] of Object.entries(compare(found, expected[list], base))) {
      if (verdict !== null) add(scores, field, verdict, name)
    }
  }
  return scores
}

/** Extracts every stored consent, login and error page; returns those of which something was taken for content. */
export async function findAcceptedGates(corpus: Corpus): Promise<string[]> {
  const accepted: string[] = []
  for (const name of pageNames(corpus).filter((page) => page.startsWith('gated'))) {
    const { found, base } = await extractPage(corpus, name, { withOembed: false })
    const { title = '', thumbnail_url = null } = found?.video ?? {}
    const ownPicture = recogniseVideo(base)?.thumbnail_url ?? null
    if (title !== '' || thumbnail_url !== ownPicture || found?.partial === false) accepted.push(name)
  }
  return accepted
}

/** Recognises every link of a known host that contains the id of a video, according to the other projects. */
export function scoreLinks(corpus: Corpus): Score {
  const scores: Record<string, Score> = { links: { right: 0, wrong: 0, missing: 0, failures: [] } }
  for (const row of corpus.rows<LinkRow>('urls-embed.jsonl').filter(isVideoLink)) {
    const video = recogniseVideo(row.url)
    const others = [row.embed_url, row.canonical].flatMap((link) => recogniseVideo(link ?? '') ?? [])
    const isOther = others.some(
      // A link that is only a player may have a number of its own.
      (other) => other.id !== video?.id && other.embed_url?.startsWith(other.canonical_url) !== true,
    )
    add(scores, 'links', video === null ? 'missing' : isOther ? 'wrong' : 'right', row.url)
  }
  return scores.links as Score
}

/** Returns the links that must not be taken for a video of a host, and are. */
export function findAcceptedNegatives(corpus: Corpus): string[] {
  return corpus
    .rows<{ url: string; not_provider: string | null }>('urls-negative.jsonl')
    .filter(({ url, not_provider }) => {
      const video = recogniseVideo(url)
      return video !== null && (not_provider === null || video.provider === not_provider.toLowerCase())
    })
    .map(({ url }) => url)
}

type LinkRow = {
  source_repo: string
  url: string
  provider: string
  id: string | null
  embed_url: string | null
  canonical: string | null
  extra?: { ie?: string; kind?: string; mediaType?: string }
}

/** Returns whether a row says that its link is a video that the link names. The other rows are channels, documents, examples. */
function isVideoLink({ source_repo, url, provider, id, extra = {} }: LinkRow): boolean {
  const host = parseUrl(url.startsWith('//') ? `https:${url}` : url)?.hostname
  if (id === null || host === undefined || !isKnownHost(host)) return false
  // These use made-up ids.
  if (/streamlink|get-video-id/.test(source_repo) || provider === 'googlesheets') return false
  const isVideo = (extra.mediaType ?? 'video') === 'video' && extra.kind !== 'playlist'
  const isOtherPage =
    /Tab|Playlist|Channel|User|Search|Collection|Album|Folder|List|Series|Season|Show|Group|Category|Hashtag|Space|Audio|Ads|Live/.test(
      extra.ie ?? '',
    )
  return isVideo && !isOtherPage && url.toLowerCase().includes(id.toLowerCase())
}

function pageNames(corpus: Corpus): string[] {
  return readdirSync(corpus.path('pages'))
    .filter((file) => file.endsWith('.expected.json'))
    .map((file) => file.replace('.expected.json', ''))
}

async function extractPage(corpus: Corpus, name: string, { withOembed }: { withOembed: boolean }) {
  const expected = corpus.json<ExpectedPage>(`pages/${name}.expected.json`)
  const url = expected.url ?? `https://page.example/${name}`
  const known = recogniseVideo(url)
  const base = known?.canonical_url ?? normaliseUrl(url) ?? url
  const body = corpus.bytes(`pages/${name}.html`)
  const page = { status: expected.http_status ?? 200, contentType: expected.content_type_header, body }
  const responses = new Map<string, ServedResponse>([[base, page]])
  const oembed = withOembed ? expected.upstream?.oembed : undefined
  if (oembed !== undefined) {
    const linked = /<link[^>]+json\+oembed[^>]*>/i.exec(body.toString('latin1'))?.[0]
    const href = /href=["']([^"']+)/i.exec(linked ?? '')?.[1]?.replaceAll('&amp;', '&')
    for (const link of [known?.oembed_url, href === undefined ? null : absolute(href, base)]) {
      if (link) responses.set(link, { contentType: 'application/json', body: JSON.stringify(oembed) })
    }
  }
  const { outbound, close } = await serveResponses(responses)
  try {
    return { found: await extractVideoMetadata(url, { outbound }), base }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error
    return { found: null, base }
  } finally {
    await close()
  }
}

/** Returns for each field whether the value is acceptable; null where nothing is listed. */
function compare(
  found: Pick<Extraction, 'video'> | null,
  accept: Accept,
  base: string,
): Record<string, Verdict | null> {
  const video = found?.video ?? null
  const assess = <T>(accepted: readonly T[], value: T | null | undefined, isSame: (item: T) => boolean) => {
    if (accepted.length === 0) return null
    if (accepted.some(isSame)) return 'right'
    return value === null || value === undefined || value === '' ? 'missing' : 'wrong'
  }
  const player = recogniseVideo(video?.embed_url ?? '')?.canonical_url
  // Only https pages can be shown as players.
  const players = accept.embed
    .map((link) => absolute(link.replaceAll('&amp;', '&'), base))
    .filter((link) => /^https:/.test(link) && !/\.(?:js|swf)(?:\?|$)/.test(link))
  return {
    title: assess(accept.title, video?.title, (text) => oneLine(text) === video?.title),
    picture: assess(
      accept.image,
      video?.thumbnail_url,
      (link) => absolute(link, base) === video?.thumbnail_url,
    ),
    player: assess(players, video?.embed_url, (link) => {
      const known = recogniseVideo(link)?.canonical_url
      return link === video?.embed_url || (known !== undefined && known === player)
    }),
    duration: assess(
      accept.duration_s,
      video?.duration,
      (seconds) => Math.abs(seconds - (video?.duration ?? -9)) <= 1,
    ),
    uploader: assess(accept.author, video?.uploader_name, (name) => oneLine(name) === video?.uploader_name),
    shape: assess(
      accept.orientation === null ? [] : [accept.orientation],
      video?.shape,
      (shape) => shape === video?.shape,
    ),
  }
}

function add(scores: Record<string, Score>, field: string, verdict: Verdict, name: string): void {
  const score = scores[field] ?? { right: 0, wrong: 0, missing: 0, failures: [] }
  scores[field] = score
  score[verdict]++
  if (verdict !== 'right') score.failures.push(name)
}

/** Returns the share of values that are right. */
export function shareRight({ right, wrong, missing }: Score): number {
  return right / Math.max(1, right + wrong + missing)
}
