/** Conditional requests (RFC 9110, section 13): a client that has the current content gets 304 without it. */
import { createHash } from 'node:crypto'

/** Returns the strong entity tag of a text. */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
}

/** Returns whether an If-None-Match header names an entity tag. A proxy that compresses makes it weak. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  return (header ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

/**
 * Returns whether the client has the current content. If-Modified-Since counts only without If-None-Match, which is more
 * precise.
 */
export function isUnmodified(
  headers: { 'if-none-match'?: string | undefined; 'if-modified-since'?: string | undefined },
  { etag, modifiedAt }: { etag: string; modifiedAt: Date | null },
): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers
  if (tags !== undefined) return matchesEtag(tags, etag)
  // The header has whole seconds.
  return (
    since !== undefined &&
    modifiedAt !== null &&
    Math.floor(modifiedAt.getTime() / 1000) * 1000 <= Date.parse(since)
  )
}
