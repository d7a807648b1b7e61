import type { Shape } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { classifyShape } from '../../../core/media/shape.ts'
import { uploaderLink } from '../../../core/video-links/entered-links.ts'
import { normaliseUrl } from '../../../core/video-links/normalise-url.ts'
import { type RecognisedVideo, recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import { isInterstitialTitle, isInterstitialUrl } from './interstitials.ts'
import type { VideoMetadata } from './json-ld.ts'
import type { OembedMetadata } from './oembed.ts'
import type { PageMetadata } from './page-metadata.ts'
import {
  cleanDescription,
  cleanName,
  cleanTags,
  cleanTitle,
  firstSize,
  isEmptyTitle,
  isSiteName,
  isStandIn,
  pictureUrl,
  playerUrl,
  toSeconds,
  withoutSiteName,
} from './rules.ts'

export type MetadataSources = {
  /** The submitted link, normalised. */
  url: string
  known: RecognisedVideo | null
  oembed: OembedMetadata | null
  /** Null if there is no page, or only an interstitial. */
  page: { url: string; facts: PageMetadata } | null
  /** What another program knows of the video; null: it was not asked, or knows nothing. */
  lastResort: VideoMetadata | null
  ownHosts: readonly string[]
  parentHost?: string
}

export type ChosenMetadata = {
  source_url: string
  title: string
  description: string
  thumbnail_url: string | null
  embed_url: string | null
  shape: Shape
  duration: number | null
  width: number | null
  height: number | null
  provider: string | null
  tags: string[]
  uploader_name: string | null
  uploader_url: string | null
  /** All pictures that were found, the chosen thumbnail first. */
  pictures: string[]
  /** Whether the page declares itself as adult content. */
  adult: boolean
}

/** How many keywords of one text are read. */
const maxKeywords = 200

/** Chooses each field separately from the most reliable source that has it: oEmbed, JSON-LD, microdata, OpenGraph, Twitter card, HTML. */
export function chooseMetadata({
  url,
  known,
  oembed,
  page,
  lastResort,
  ...options
}: MetadataSources): ChosenMetadata {
  const facts = page?.facts ?? null
  const base = page === null ? url : absoluteBase(page)
  const meta = (...names: string[]) => names.flatMap((name) => facts?.meta.get(name) ?? [])
  // Texts are cleaned until one is usable. A page may contain sixty of each name, of 20,000 characters.
  const someTexts = (...names: string[]) => meta(...names).slice(0, 6)
  const described = [
    ...(facts?.jsonLd ?? []),
    ...(facts?.microdata ?? []),
    ...(lastResort ? [lastResort] : []),
  ]
  const films = described.filter(({ isVideo }) => isVideo)
  const works = described.filter(({ isVideo }) => !isVideo)
  const main = films.filter(({ isMain }) => isMain)
  const parts = films.filter(({ isMain }) => !isMain)
  const siteNames = findSiteNames(page?.url ?? url, [
    oembed?.provider,
    ...someTexts('og:site_name', 'application-name'),
    known?.provider,
  ])

  const titles = [
    oembed?.title,
    ...videoNames(main),
    ...someTexts('og:title', 'twitter:title', 'title'),
    ...videoNames(works),
    facts?.title,
    facts?.heading,
    ...someTexts('dc.title', 'parsely-title', 'sailthru.title'),
    ...videoNames(parts),
  ].map(cleanTitle)
  const title = chooseTitle(titles, siteNames, known !== null)

  const descriptions = [
    oembed?.description,
    ...main.map((film) => film.description),
    ...someTexts('og:description', 'twitter:description', 'description'),
    ...works.map((work) => work.description),
    ...parts.map((film) => film.description),
  ]
  const description = findCleaned(descriptions, cleanDescription) ?? ''

  const pagePictures = [
    ...main.flatMap((film) => film.thumbnails.slice(0, 1)),
    ...meta('og:image:secure_url'),
    ...largestFirst(meta('og:image'), meta('og:image:width')),
    ...meta('og:image:url', 'twitter:image', 'twitter:image:src'),
    ...parts.flatMap((film) => film.thumbnails.slice(0, 1)),
    ...meta('thumbnailurl', 'thumbnail', 'parsely-image-url', 'sailthru.image.full'),
    ...works.flatMap((work) => work.thumbnails.slice(0, 1)),
    facts?.links.get('image_src'),
    facts?.videoPoster,
    ...meta('image'),
  ].flatMap((text) => pictureUrl(text, base) ?? [])
  const morePictures = films
    .flatMap((film) => film.thumbnails.slice(1, limits.offeredPicturesMax))
    .slice(0, limits.offeredPicturesMax)
    .flatMap((text) => pictureUrl(text, base) ?? [])
  const oembedPicture = pictureUrl(oembed?.thumbnail, base)
  // oEmbed pictures are often small previews (Vimeo's is 295 wide), and the page has a larger copy.
  const isSmall = (oembed?.thumbnailWidth ?? 1000) < 640
  const offered = [
    isSmall ? null : oembedPicture,
    ...pagePictures,
    oembedPicture,
    known?.thumbnail_url,
    pictureUrl(facts?.largePicture, base),
  ].filter((picture) => picture != null)
  // Sites name their logo where a page has no picture of its own.
  const thumbnail = offered.find((picture) => !isStandIn(picture)) ?? offered[0]

  const players = [
    oembed?.embed,
    ...films.map((film) => film.embedUrl),
    ...ogPlayers(facts),
    ...meta('twitter:player', 'twitter:player:url', 'embedurl'),
    ...embeddedPlayers(facts, base),
  ].flatMap((text) => playerUrl(text, base, options) ?? [])
  const embed = moreSpecific(known, players) ?? known?.embed_url ?? players[0] ?? null

  const size = firstSize([
    ...main.map((film) => [film.width, film.height] as const),
    [meta('og:video:width')[0], meta('og:video:height')[0]],
    [oembed?.width, oembed?.height],
    [meta('twitter:player:width')[0], meta('twitter:player:height')[0]],
    ...parts.map((film) => [film.width, film.height] as const),
  ])
  const pictureSize = firstSize([
    [meta('og:image:width')[0], meta('og:image:height')[0]],
    [oembed?.thumbnailWidth, oembed?.thumbnailHeight],
  ])

  const duration =
    [
      oembed?.duration,
      ...main.map((film) => film.duration),
      ...parts.map((film) => film.duration),
      ...meta('og:video:duration', 'video:duration', 'duration', 'twitter:player:duration', 'video_duration'),
    ]
      .map(toSeconds)
      .find((seconds) => seconds !== null) ?? null

  const uploader = chooseUploader([
    { author: oembed?.author, authorUrl: oembed?.authorUrl },
    ...films,
    ...someTexts('author', 'article:author', 'og:video:director', 'dc.creator').map((author) => ({ author })),
    ...works,
  ])

  const frame = size ?? pictureSize
  const source_url = known?.canonical_url ?? ownCanonical(url, page)
  return {
    source_url,
    title,
    description,
    thumbnail_url: thumbnail ?? null,
    pictures: [...new Set([thumbnail, ...pagePictures, ...morePictures, ...offered])]
      .filter((picture) => picture != null)
      .slice(0, limits.offeredPicturesMax),
    embed_url: embed,
    shape: known?.shape ?? (frame === null ? 'unknown' : classifyShape(frame)),
    duration,
    width: size?.width ?? null,
    height: size?.height ?? null,
    provider: known?.provider ?? (embed === null ? null : (recogniseVideo(embed)?.provider ?? null)),
    tags: cleanTags(
      [
        ...(oembed?.tags ?? []),
        ...films.flatMap((film) => film.keywords),
        ...meta('og:video:tag', 'video:tag', 'article:tag'),
        ...meta('keywords', 'news_keywords').flatMap((words) => words.split(/[,;、]/, maxKeywords)),
        ...works.flatMap((work) => work.keywords),
        ...(facts?.relTags ?? []),
      ],
      siteNames,
    ),
    uploader_name: uploader?.name ?? null,
    uploader_url: uploader?.url ? uploaderLink(absoluteText(uploader.url, base), source_url) : null,
    adult: isMarkedAdult(meta, films),
  }
}

/** Returns pictures in the order of their declared widths, if each has one. */
function largestFirst(pictures: readonly string[], widths: readonly string[]): string[] {
  if (pictures.length !== widths.length) return [...pictures]
  const widthOf = (index: number) => Number.parseInt(widths[index] ?? '', 10) || 0
  return pictures
    .map((picture, index) => ({ picture, width: widthOf(index) }))
    .toSorted((a, b) => b.width - a.width)
    .map(({ picture }) => picture)
}

type Author = { author?: string | null | undefined; authorUrl?: string | null | undefined }

/** Returns the first author that has a name; null without one. */
function chooseUploader(authors: readonly Author[]): { name: string; url: string } | null {
  for (const { author, authorUrl } of authors) {
    const name = cleanName(author)
    if (name !== '') return { name, url: authorUrl ?? '' }
  }
  return null
}

/** Returns the players of known hosts in the page. Software that runs on any host must be in a frame, because its links prove little. */
function embeddedPlayers(facts: PageMetadata | null, base: string): string[] {
  return (facts?.embedded ?? []).flatMap(({ url, isFrame }) => {
    const video = recogniseVideo(absoluteText(url, base))
    return video !== null && (video.is_single_site || isFrame) ? [url] : []
  })
}

/**
 * Returns the first meaningful title; without the site's name at its end if another source has it like that. On an unknown
 * site a poor title is better than none; on a known one it would be the site's name.
 */
function chooseTitle(titles: readonly string[], siteNames: readonly string[], isKnown: boolean): string {
  const bare = (title: string) => withoutSiteName(title, siteNames)
  const first = titles.find((title) => !isEmptyTitle(bare(title), siteNames))
  if (first === undefined) return isKnown ? '' : (titles.find((title) => title !== '') ?? '')
  return titles.includes(bare(first)) ? bare(first) : first
}

/** Cleans texts until one is neither empty nor unusable, and returns it, or null. */
function findCleaned<T>(
  texts: readonly T[],
  clean: (text: T) => string,
  isUsable: (text: string) => boolean = () => true,
): string | null {
  for (const text of texts) {
    const cleaned = clean(text)
    if (cleaned !== '' && isUsable(cleaned)) return cleaned
  }
  return null
}

/** Returns whether a page is an interstitial (consent, login, bot check) or the empty frame of a site, without a video. */
export function isInterstitialOnly(
  page: { url: string; facts: PageMetadata },
  known: RecognisedVideo | null,
): boolean {
  const { facts, url } = page
  const title = cleanTitle(facts.title)
  const siteNames = findSiteNames(url, [
    ...(facts.meta.get('og:site_name')?.slice(0, 3) ?? []),
    known?.provider,
  ])
  const socialTitles = ['og:title', 'twitter:title']
    .flatMap((name) => facts.meta.get(name)?.slice(0, 3) ?? [])
    .map(cleanTitle)
  const hasFilm = [...facts.jsonLd, ...facts.microdata].some((film) => film.isVideo && film.name !== null)
  const isMeaningful = (text: string) => !isEmptyTitle(withoutSiteName(text, siteNames), siteNames)
  if (isInterstitialUrl(url)) return true
  // Only content has a name and a length, or a player.
  const hasPlayer = ['og:video', 'og:video:url', 'og:video:secure_url'].some((name) => facts.meta.has(name))
  if (hasFilm || hasPlayer) return false
  if (socialTitles.some(isMeaningful)) return isInterstitialTitle(socialTitles[0] ?? title)
  // A frame to be filled by scripts has the site's name as every title, and so has a site's front page.
  const isFront = new URL(url).pathname === '/'
  if (socialTitles.length > 0 && !isFront && isSiteName(title, siteNames)) return true
  if (socialTitles.length > 0 && isMeaningful(title)) return false
  const bare = withoutSiteName(title, siteNames)
  if (isInterstitialTitle(title) || isInterstitialTitle(bare)) return true
  if (isInterstitialUrl(facts.links.get('canonical') ?? null)) return true
  // Large sites describe every existing video with meta tags: a page with nothing but a title is an interstitial, unless the
  // title is that of a page of the site (`Name | Site`).
  const isTitled = isMeaningful(title) && bare !== title
  return known?.is_single_site === true && !isTitled
}

/** Returns the player of the same video with a key that the link lacks, as unlisted videos need (`video/1?h=2`). */
function moreSpecific(known: RecognisedVideo | null, players: readonly string[]): string | null {
  if (known === null) return null
  const found = players.find((player) => {
    const other = recogniseVideo(player)
    return other?.provider === known.provider && other.id.startsWith(`${known.id}/`)
  })
  return found ?? null
}

function videoNames(films: readonly VideoMetadata[]): (string | null)[] {
  return films.map((film) => film.name)
}

function ogPlayers(facts: PageMetadata | null): string[] {
  const types = facts?.meta.get('og:video:type') ?? []
  // If the only declared type is that of a file, the addresses are files and not players.
  if (types.length > 0 && types.every((type) => /^video\/|flash|mpegurl/i.test(type))) {
    return ['og:video:iframe'].flatMap((name) => facts?.meta.get(name) ?? [])
  }
  return ['og:video:iframe', 'og:video:secure_url', 'og:video:url', 'og:video'].flatMap(
    (name) => facts?.meta.get(name) ?? [],
  )
}

function findSiteNames(url: string, names: readonly (string | null | undefined)[]): string[] {
  const host = parseUrl(url)?.hostname.replace(/^www\./, '') ?? ''
  // `video.example.co.uk` may call itself "example".
  const labels = host
    .split('.')
    .slice(0, -1)
    .filter((label) => label.length > 2)
  const cleanNames = names.map((name) => cleanTitle(name)).filter((name) => name !== '')
  return [...new Set([...cleanNames, host, ...labels])]
    .filter((name) => name !== '')
    .sort((a, b) => b.length - a.length)
}

function absoluteBase(page: { url: string; facts: PageMetadata }): string {
  const base = page.facts.base === null ? null : parseUrl(page.facts.base, page.url)
  return base !== null && /^https?:$/.test(base.protocol) ? base.href : page.url
}

function absoluteText(text: string, base: string): string {
  return parseUrl(text, base)?.href ?? ''
}

/** Returns the page's own canonical link if it is plausible, else the address after redirects, normalised. */
function ownCanonical(requested: string, page: MetadataSources['page']): string {
  const final = normaliseUrl(page?.url ?? requested) ?? requested
  const declared = page?.facts.links.get('canonical') ?? page?.facts.meta.get('og:url')?.[0]
  const canonical =
    declared === undefined || page === null ? null : normaliseUrl(absoluteText(declared, page.url))
  if (canonical === null) return final
  const [own, other] = [new URL(final), new URL(canonical)]
  const bare = (host: string) => host.replace(/^(?:www|m|mobile|amp)\./, '')
  const sameSite = bare(own.hostname) === bare(other.hostname)
  // A canonical link without the query that identifies the video would merge all videos of the site into one.
  const losesQuery = own.search !== '' && other.search === '' && other.pathname === own.pathname
  const isFront = other.pathname === '/' && other.search === '' && final !== canonical
  if (!sameSite || losesQuery || isFront || canonical.length > limits.urlMax) return final
  return own.protocol === 'https:' && other.protocol === 'http:'
    ? canonical.replace(/^http:/, 'https:')
    : canonical
}

/** Returns whether the page is marked as adult: RTA's label, Google's `rating`, isFamilyFriendly, OpenGraph's restrictions. */
function isMarkedAdult(meta: (...names: string[]) => string[], films: readonly VideoMetadata[]): boolean {
  const ratings = meta('rating', 'og:restrictions:age', 'video:restrictions:age')
  return (
    ratings.some((rating) =>
      /^(?:adult|mature|restricted|rta-5042-1996-1400-1577-rta|18\+?)$/i.test(rating.trim()),
    ) || films.some((film) => film.isMain && film.familyFriendly === false)
  )
}
