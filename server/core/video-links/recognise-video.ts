import { findPlayerHost } from '@reelmark/contract/player-hosts.ts'
import { adultVideoHosts } from './hosts/adult-hosts.ts'
import { readLink, secondLink } from './link-readings.ts'
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
  /** How the player's link names the time to start at (contract/player-hosts.ts); null if it cannot. */
  start_parameter: string | null
  thumbnail_url: string | null
  /** Set only if the form of the link is used for portrait videos only. */
  shape: 'portrait' | null
  oembed_url: string | null
  adult: boolean
  /** Whether it is a video for sure: not of a host of audio, or one whose links are of pictures, too. */
  is_certain_video: boolean
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
 * player, thumbnail. Also reads links that were damaged on their way (link-readings.ts). Makes no request.
 *
 * @returns null for everything else, including channel and search pages of known hosts; never throws
 */
export function recogniseVideo(text: string, options: EmbedOptions = {}): RecognisedVideo | null {
  return findVideo(text, options)?.video ?? null
}

/** As `recogniseVideo`, and returns the address in which the video was found. */
export function findVideo(
  text: string,
  options: EmbedOptions = {},
): { video: RecognisedVideo; url: URL } | null {
  for (const reading of readLink(text, readPastedLink)) {
    const url = normaliseWithFragment(reading)
    const video = url === null ? null : recogniseUrl(url, options)
    if (url !== null && video !== null) return { video, url }
  }
  return null
}

/** Returns the first link in a text that a user pasted, normalised; null if there is no link in it. */
export function firstLink(text: string): string | null {
  for (const reading of readLink(text, readPastedLink)) {
    const link = normaliseUrl(reading)
    if (link !== null) return link
  }
  return null
}

/** `https://video.example/https://video.example/watch?v=1`: returns the link that was pasted into one of a known host. */
function readPastedLink(text: string): string | null {
  const at = secondLink(text)
  const outer = at === -1 ? null : normaliseUrl(text.slice(0, at))
  return outer !== null && isKnownHost(new URL(outer).hostname) ? text.slice(at) : null
}

function recogniseUrl(url: URL, options: EmbedOptions): RecognisedVideo | null {
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
      start_parameter:
        host.embed === undefined ? null : (findPlayerHost(host.embed, host.name).start ?? null),
      thumbnail_url: host.thumbnail === undefined ? null : writeLink(host.thumbnail, parts),
      shape: portrait ? 'portrait' : null,
      oembed_url: host.oembed === undefined ? null : oembedRequest(host.oembed, canonical),
      adult: entry.adult,
      is_certain_video: host.otherMedia === undefined,
      is_single_site: pattern.domain !== '',
    }
  }
  return null
}

/** Returns whether a text contains a link to a known site of adult videos, including its other pages. */
export function isAdultLink(text: string | null): boolean {
  if (text === null) return false
  for (const reading of readLink(text, readPastedLink)) {
    const link = normaliseWithFragment(reading)
    if (link !== null && domainsOf(link.hostname).some((domain) => adultDomains.has(domain))) return true
  }
  return false
}

/** Returns whether a host is one of those in the tables, or a subdomain of one. */
export function isKnownHost(hostname: string): boolean {
  // A copy in an archive is another page than the one that was copied.
  return hostname !== 'web.archive.org' && domainsOf(hostname).some((domain) => linksByDomain.has(domain))
}

/** Returns whether two hosts are in the tables as domains of the same site (`x.com`, `twitter.com`), or subdomains of them. */
export function isSameProvider(hostname: string, other: string): boolean {
  const providers = (name: string) =>
    domainsOf(name).flatMap((domain) => (linksByDomain.get(domain) ?? []).map(({ entry }) => entry.host.name))
  const known = providers(hostname)
  return providers(other).some((name) => known.includes(name))
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

/** Returns `a.b.c`, `b.c` and `c`. */
function domainsOf(hostname: string): string[] {
  const labels = hostname.split('.')
  return labels.map((_, from) => labels.slice(from).join('.'))
}

function* linksForHost(hostname: string): Generator<Link> {
  for (const domain of domainsOf(hostname)) yield* linksByDomain.get(domain) ?? []
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
  const valid = host.validate === undefined ? parts : host.validate(parts)
  return valid === null ? null : withLowerCaseNames(valid)
}

/** Names of accounts and communities. Sites ignore their case: `/r/Videos` is `/r/videos`. */
const nameParts = ['user', 'channel', 'sub']

function withLowerCaseNames(parts: Parts): Parts {
  // Escaped characters are written in upper case.
  const toLower = (text: string) =>
    text.replace(/%[\dA-F]{2}|[A-Z]/gi, (piece) => (piece.startsWith('%') ? piece : piece.toLowerCase()))
  const names = nameParts.flatMap((name) => (parts[name] === undefined ? [] : [[name, toLower(parts[name])]]))
  return { ...parts, ...Object.fromEntries(names) }
}

function playerLink(host: VideoHost, parts: Parts, { parentHost }: EmbedOptions): string | null {
  if (host.embed === undefined) return null
  return writeLink(host.embed, { ...parts, ...(parentHost ? { parent: parentHost } : {}) })
}

function oembedRequest(endpoint: string, canonical: string): string {
  return `${endpoint}${endpoint.includes('?') ? '&' : '?'}format=json&url=${encodeURIComponent(canonical)}`
}
