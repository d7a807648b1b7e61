import * as limits from '@reelmark/contract/protocol/limits.ts'
import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { decodeEntities, htmlToText } from '../../../core/html-tokenizer.ts'
import { normalizeUnicode } from '../../../core/http/unicode.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'

/** Rules for each field: which texts of a page are accepted, and how they are normalised. No I/O. */

/** Returns a title as one line: entities decoded, white space collapsed, truncated at the limit; '' without a title. */
export function cleanTitle(text: string | null | undefined): string {
  return truncate(oneLine(decodeEntities((text ?? '').slice(0, 2_000))), limits.titleMax)
}

/** Returns the name of an uploader as one line, as `cleanTitle` does; '' for an address or a number, which are no names. */
export function cleanName(text: string | null | undefined): string {
  const name = truncate(cleanTitle(text), limits.nameMax)
  return /^https?:|^\d+$/i.test(name) ? '' : name
}

/** Returns a description without HTML tags; keeps line breaks, at most two in a row. */
export function cleanDescription(text: string | null | undefined): string {
  const raw = (text ?? '').slice(0, 20_000)
  const plain = /<\/?[a-z][^<>]{0,300}>/i.test(raw) ? htmlToText(raw) : decodeEntities(raw)
  const lines = plain.toWellFormed().replace(/\r\n?/g, '\n').split('\n').map(oneLine)
  const joined = lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return truncate(joined, limits.descriptionMax)
}

function oneLine(text: string): string {
  const visible = text
    .toWellFormed()
    // Includes invisible characters and those that change the direction of the surrounding text.
    .replace(/[\p{Cc}\u200b\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  return normalizeUnicode(visible)
}

/** Truncates to at most `max` UTF-16 units without splitting a surrogate pair. */
function truncate(text: string, max: number): string {
  if (text.length <= max) return text
  return text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
}

/** Removes a known site name from the end of a title: `Name - Site`, `Name | Site`. */
export function withoutSiteName(title: string, siteNames: readonly string[]): string {
  for (const site of siteNames) {
    const suffix = new RegExp(` [-|–—:·•»] ${escapeRegExp(site)}$`, 'iu')
    const shorter = title.replace(suffix, '')
    if (shorter !== title && shorter !== '') return shorter
  }
  return title
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** Returns whether a title is only the site's name, with or without a dash (`- YouTube`). */
export function isSiteName(title: string, siteNames: readonly string[]): boolean {
  const bare = withoutDashes(title)
  return bare === '' || siteNames.some((site) => bare === site.toLowerCase())
}

function withoutDashes(title: string): string {
  return title.replace(/^[\s\-|–—:·•»]+|(?<![\s\-|–—:·•»])[\s\-|–—:·•»]+$/gu, '').toLowerCase()
}

/** Returns whether a title is meaningless: the site's name, an address, or a placeholder of a program. */
export function isEmptyTitle(title: string, siteNames: readonly string[]): boolean {
  if (isSiteName(title, siteNames)) return true
  const bare = withoutDashes(title)
  if (
    /^(?:not set|undefined|null|nan|none|untitled(?: document)?|title|home(?: ?page)?|index|video|\[object object\])$/.test(
      bare,
    )
  ) {
    return true
  }
  // A long number, which only the site's own software uses, or an address.
  return /^[\d\s_-]{9,}$/.test(bare) || /^(?:https?:\/\/|www\.)\S+$/.test(bare)
}

/**
 * Parses a duration such as `PT2M24S`, `P0DT1H`, `144`, `143.6`, `2:24`, `1:02:24` or `2 min 24 s` and returns seconds; null
 * for anything else, for zero and for more than a hundred days.
 */
export function toSeconds(text: string | null | undefined): number | null {
  const duration = (text ?? '').trim()
  if (duration === '' || duration.length > 40) return null
  const iso =
    /^P?(?:(\d+(?:\.\d+)?)D)?T?(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?$/i.exec(
      duration,
    )
  const clock = /^(?:(\d+):)?(\d{1,3}):(\d{1,2}(?:\.\d+)?)$/.exec(duration)
  const spoken = /^(?:(\d+)\s*h[a-z]*\s*)?(?:(\d+)\s*min[a-z]*\s*)?(?:(\d+)\s*s[a-z]*)?$/i.exec(duration)
  let seconds = Number.NaN
  if (/^\d+(?:\.\d+)?$/.test(duration)) seconds = Number(duration)
  else if (clock !== null) seconds = Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3])
  else if (iso !== null) {
    const [, days, hours, minutes, rest] = iso
    seconds =
      Number(days ?? 0) * 86_400 + Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(rest ?? 0)
  } else if (spoken !== null) {
    seconds = Number(spoken[1] ?? 0) * 3600 + Number(spoken[2] ?? 0) * 60 + Number(spoken[3] ?? 0)
  }
  const rounded = Math.round(seconds)
  return rounded > 0 && rounded <= limits.durationMax ? rounded : null
}

/** Parses a size such as `1280`, `1280px` or `1280.0`; null for percentages and unreasonable sizes. */
function toPixels(text: string | number | null | undefined): number | null {
  const match = /^(\d{1,6})(?:\.\d+)?(?:\s*px)?$/i.exec(String(text ?? '').trim())
  const pixels = Number(match?.[1] ?? 0)
  return pixels >= 16 && pixels <= 100_000 ? pixels : null
}

/** Returns the first pair in which both sizes are valid, or null. */
export function firstSize(
  pairs: readonly (readonly [unknown, unknown])[],
): { width: number; height: number } | null {
  for (const [first, second] of pairs) {
    const width = toPixels(first as string | number | null)
    const height = toPixels(second as string | number | null)
    if (width !== null && height !== null) return { width, height }
  }
  return null
}

/** Returns whether the name of a picture says that it stands for a missing one: a logo, an icon, an empty picture. */
export function isStandIn(picture: string): boolean {
  const file = parseUrl(picture)?.pathname.split('/').at(-1) ?? ''
  return /(?:^|[^a-z])(?:logo|favicon|icon|placeholder|blank|spacer|no-?(?:image|photo|thumb|picture)|default-?(?:image|thumb|og|share|social)|missing|pixel|1x1)(?![a-z])/i.test(
    file.replaceAll('_', '-'),
  )
}

/** Returns the absolute http(s) address of a picture, or null: data URLs and vector graphics cannot be thumbnails. */
export function pictureUrl(text: string | null | undefined, base: string): string | null {
  const url = absolute(text, base)
  if (url === null || /\.svgz?$/i.test(url.pathname)) return null
  return url.href.length <= limits.urlMax ? url.href : null
}

/**
 * Returns the address of an embeddable player, or null. That of a known host is rebuilt; others must be https and a page,
 * not a file (video, script, Flash).
 */
export function playerUrl(
  text: string | null | undefined,
  base: string,
  { ownHosts, parentHost }: { ownHosts: readonly string[]; parentHost?: string },
): string | null {
  const url = absolute(decodeEntities(text ?? ''), base)
  if (url === null) return null
  const known = recogniseVideo(url.href, parentHost === undefined ? {} : { parentHost })
  if (known !== null) return known.embed_url
  if (
    url.protocol !== 'https:' ||
    ownHosts.includes(url.hostname) ||
    url.username !== '' ||
    url.password !== ''
  )
    return null
  if (
    /\.(?:swf|mp4|m4v|webm|ogv|mov|avi|mkv|flv|m3u8|mpd|mp3|m4a|ogg|wav|js|json|jpe?g|png|gif|webp|xml)$/i.test(
      url.pathname,
    )
  )
    return null
  return url.href.length <= limits.urlMax ? url.href : null
}

function absolute(text: string | null | undefined, base: string): URL | null {
  const trimmed = (text ?? '').trim()
  const url = trimmed === '' || trimmed.length > 8192 ? null : parseUrl(trimmed, base)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : null
}

/** Words that sites put on everything. */
const emptyTags = new Set(
  'video,videos,sharing,share,camera phone,video phone,free,upload,online,watch,home,movie,clip,clips,hd,page,website,tv,untagged,other,uncategorized,none'.split(
    ',',
  ),
)

/** How many words are considered as tags. A page may have hundreds of thousands of words that are not tags. */
const maxWords = 1000

/** Returns tags trimmed, without `#`, duplicates and meaningless words, whatever their case; at most ten. */
export function cleanTags(words: readonly string[], siteNames: readonly string[] = []): string[] {
  const seen = new Set<string>()
  const tags: string[] = []
  for (const word of words.slice(0, maxWords)) {
    const tag = oneLine(decodeEntities(word.slice(0, 200)))
      .replace(/^[#\s]+|(?<![\s.,;])[\s.,;]+$/g, '')
      .replaceAll(',', ' ')
    const key = tag.toLowerCase()
    const isMeaningful =
      tag.length >= 2 && tag.length <= limits.tagMax && /[\p{L}\p{N}]/u.test(tag) && !/^https?:/i.test(tag)
    if (
      !isMeaningful ||
      emptyTags.has(key) ||
      siteNames.some((site) => site.toLowerCase() === key) ||
      seen.has(key)
    )
      continue
    seen.add(key)
    tags.push(tag)
    if (tags.length === limits.suggestedTagsMax) break
  }
  return tags
}
