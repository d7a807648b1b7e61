import { adultVideoHosts } from './adult-video-hosts.ts'
import { compileLink, compileText, type LinkPattern, type Parts, writeLink } from './link-template.ts'
import { normaliseUrl } from './normalise-url.ts'
import { unwrapLink } from './redirect-wrappers.ts'
import type { VideoHost } from './video-host.ts'
import { videoHosts } from './video-hosts.ts'

export type RecognisedVideo = {
  provider: string
  /** As the site writes it. Ids of two parts are joined with '/'. */
  id: string
  canonical_url: string
  /** https, built from the id; null if the site has no player for other sites or the id alone is not enough. */
  embed_url: string | null
  thumbnail_url: string | null
  /** Set only if the form of the link is used for portrait videos only. */
  shape: 'portrait' | null
  /** Start time in seconds from the link; not part of the video's identity. */
  start: number | null
  oembed_url: string | null
  adult: boolean
  /** False for software that runs on any host (PeerTube): its player is treated as that of an unknown host. */
  is_single_site: boolean
}

export type EmbedOptions = {
  /** Host name of this site, which Twitch's player requires. */
  parentHost?: string
  /** Start time in seconds. */
  start?: number | null
}

type Entry = { host: VideoHost; adult: boolean; readId: (id: string) => Parts | null }
type Link = { entry: Entry; pattern: LinkPattern; portrait: boolean }

const entries: Entry[] = [
  ...videoHosts.map((host) => ({ host, adult: false })),
  ...adultVideoHosts.map((host) => ({ host, adult: true })),
].map(({ host, adult }) => ({ host, adult, readId: compileText(host.id ?? '{id}', host.parts) }))

const linksByDomain = Map.groupBy(entries.flatMap(compileLinks), (link) => link.pattern.domain)

const adultDomains = new Set(
  entries
    .filter(({ adult }) => adult)
    .flatMap((entry) => compileLinks(entry).map(({ pattern }) => pattern.domain)),
)

function compileLinks(entry: Entry): Link[] {
  const { host } = entry
  const compile = (portrait: boolean) => (template: string) => ({
    entry,
    portrait,
    pattern: compileLink(template, host.parts),
  })
  return [...(host.portraitLinks ?? []).map(compile(true)), ...host.links.map(compile(false))]
}

/**
 * Recognises the video that a link refers to, from the link alone and in any of the host's forms: page, short link,
 * player. Makes no request.
 *
 * @returns null for everything else, including channel and search pages of known hosts; never throws
 */
export function recogniseVideo(text: string, options: EmbedOptions = {}): RecognisedVideo | null {
  const absolute = normaliseWithFragment(text)
  if (absolute === null) return null
  const url = unwrapLink(absolute)
  // None of the hosts uses another port, and a link rebuilt without the port would lead to a different site.
  if (url.port !== '') return null
  for (const { entry, pattern, portrait } of linksForHost(url.hostname)) {
    const read = pattern.read(url)
    const parts = read === null ? null : validateParts(entry.host, read)
    if (parts === null) continue
    const { host } = entry
    const id = writeLink(host.id ?? '{id}', parts)
    const canonical = writeLink(host.canonical, parts)
    if (id === null || canonical === null) continue
    const known = { ...options, start: null }
    return {
      provider: host.name,
      id,
      canonical_url: canonical,
      embed_url: playerLink(host, parts, known),
      thumbnail_url: host.thumbnail === undefined ? null : writeLink(host.thumbnail, parts),
      shape: portrait ? 'portrait' : null,
      start: startSeconds(url),
      oembed_url: host.oembed === undefined ? null : oembedRequest(host.oembed, canonical),
      adult: entry.adult,
      is_single_site: pattern.domain !== '',
    }
  }
  return null
}

/**
 * Returns the player URL for an id from `recogniseVideo`, e.g. `embedUrl('twitch', 'videos/1', { parentHost })`.
 * @returns null for an unknown provider, an invalid id, or a site without a player
 */
export function embedUrl(provider: string, id: string, options: EmbedOptions = {}): string | null {
  for (const { host, readId } of entries) {
    if (host.name !== provider) continue
    const parts = readId(id)
    if (parts !== null) return playerLink(host, parts, options)
  }
  return null
}

/** Whether a link leads to a known site of adult videos, whichever of its pages it is. */
export function isAdultLink(text: string | null): boolean {
  const absolute = text === null ? null : normaliseWithFragment(text)
  if (absolute === null) return false
  const labels = unwrapLink(absolute).hostname.split('.')
  return labels.some((_, from) => adultDomains.has(labels.slice(from).join('.')))
}

/** The hosts that players of known sites are on: what a page's frame-src names. */
export function knownEmbedHosts(): string[] {
  const hosts = entries.flatMap(({ host: { embed } }) =>
    embed === undefined ? [] : [embed.split('/')[2] ?? ''],
  )
  return [...new Set(hosts.filter((host) => !host.includes('{')))].sort()
}

/** Normalises a link and restores the fragment, where old links have the video and which `normaliseUrl` removes. */
function normaliseWithFragment(text: string): URL | null {
  const normal = normaliseUrl(text)
  if (normal === null) return null
  const url = new URL(normal)
  const hash = text.indexOf('#')
  if (hash !== -1) url.hash = text.slice(hash).trim()
  return url
}

function* linksForHost(hostname: string): Generator<Link> {
  const labels = hostname.split('.')
  for (let from = 0; from < labels.length - 1; from++) {
    yield* linksByDomain.get(labels.slice(from).join('.')) ?? []
  }
  yield* linksByDomain.get('') ?? []
}

function validateParts(host: VideoHost, read: Parts): Parts | null {
  if (host.reservedIds?.includes(read.id ?? '')) return null
  // In a path, such a part would mean a parent folder.
  if (Object.values(read).some((part) => /^(\.|%2e){1,2}$/i.test(part))) return null
  // Paths may contain quotation marks, but links in players and pages must not.
  const parts = Object.fromEntries(
    Object.entries(read).map(([name, part]) => [name, part.replaceAll("'", '%27')]),
  )
  return host.validate === undefined ? parts : host.validate(parts)
}

function playerLink(host: VideoHost, parts: Parts, { parentHost, start }: EmbedOptions): string | null {
  if (host.embed === undefined) return null
  const link = writeLink(host.embed, { ...parts, ...(parentHost ? { parent: parentHost } : {}) })
  if (link === null || !start || host.embedStart === undefined) return link
  const addition = host.embedStart.replace('{start}', String(start))
  if (addition.startsWith('#')) return link + addition
  return `${link}${link.includes('?') ? '&' : '?'}${addition}`
}

function oembedRequest(endpoint: string, canonical: string): string {
  return `${endpoint}${endpoint.includes('?') ? '&' : '?'}format=json&url=${encodeURIComponent(canonical)}`
}

/** Returns the start time in seconds from query or fragment: `t=90`, `t=90s`, `t=1m30s`, `start=90`, `#t=1:30`. */
function startSeconds(url: URL): number | null {
  const inHash = new URLSearchParams(url.hash.slice(1))
  const candidates = ['t', 'start', 'time_continue', 'at'].map(
    (name) => url.searchParams.get(name) ?? inHash.get(name),
  )
  const text = candidates.find((value) => value !== null && value !== undefined)
  if (text === undefined || text === null || text.length > 12) return null
  const clock = /^(?:(\d+):)?(\d+):(\d+)$/.exec(text)
  const units = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?$/.exec(text)
  const [, hours, minutes, seconds] = clock ?? units ?? []
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
  return total > 0 && total < 8_640_000 ? total : null
}
