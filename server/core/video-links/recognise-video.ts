import { adultVideoHosts } from './adult-video-hosts.ts'
import { compileLink, type LinkPattern, type Parts, writeLink } from './link-template.ts'
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
  /** How the player's link names the time to start at (video-host.ts); null if it cannot. */
  start_parameter: string | null
  thumbnail_url: string | null
  /** Set only if the form of the link is used for portrait videos only. */
  shape: 'portrait' | null
  oembed_url: string | null
  adult: boolean
  /** False for software that runs on any host (PeerTube): its player is treated as that of an unknown host. */
  is_single_site: boolean
}

type EmbedOptions = {
  /** Host name of this site, which Twitch's player requires. */
  parentHost?: string
}

type Entry = { host: VideoHost; adult: boolean }
type Link = { entry: Entry; pattern: LinkPattern; portrait: boolean }

const entries: Entry[] = [
  ...videoHosts.map((host) => ({ host, adult: false })),
  ...adultVideoHosts.map((host) => ({ host, adult: true })),
]

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
  const url = unwrapVideoLink(text)
  if (url === null) return null
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
    return {
      provider: host.name,
      id,
      canonical_url: canonical,
      embed_url: playerLink(host, parts, options),
      start_parameter: host.embed === undefined ? null : (host.start ?? null),
      thumbnail_url: host.thumbnail === undefined ? null : writeLink(host.thumbnail, parts),
      shape: portrait ? 'portrait' : null,
      oembed_url: host.oembed === undefined ? null : oembedRequest(host.oembed, canonical),
      adult: entry.adult,
      is_single_site: pattern.domain !== '',
    }
  }
  return null
}

/** Returns whether a link leads to a known site of adult videos, including its other pages. */
export function isAdultLink(text: string | null): boolean {
  const absolute = text === null ? null : normaliseWithFragment(text)
  if (absolute === null) return false
  const labels = unwrapLink(absolute).hostname.split('.')
  return labels.some((_, from) => adultDomains.has(labels.slice(from).join('.')))
}

/**
 * Returns the address that a link leads to, with its fragment and without pages that only redirect. Returns null for a text
 * that is not a web address.
 */
export function unwrapVideoLink(text: string): URL | null {
  const absolute = normaliseWithFragment(text)
  return absolute === null ? null : unwrapLink(absolute)
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

function playerLink(host: VideoHost, parts: Parts, { parentHost }: EmbedOptions): string | null {
  if (host.embed === undefined) return null
  return writeLink(host.embed, { ...parts, ...(parentHost ? { parent: parentHost } : {}) })
}

function oembedRequest(endpoint: string, canonical: string): string {
  return `${endpoint}${endpoint.includes('?') ? '&' : '?'}format=json&url=${encodeURIComponent(canonical)}`
}
