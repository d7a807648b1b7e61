import type { ReactNode } from 'react'
import { PlainText } from './plain-text.tsx'

/**
 * A web link, unless its host is longer than a host name can be: the browser would convert an international name to
 * ASCII, in time quadratic in its length.
 */
const link = /https?:\/\/(?![^\s<>"/?#\\]{260})[^\s<>"]+/gi

/** Shows user text with web links made clickable and everything else as plain text (plain-text.tsx). */
export function LinkedText({ text }: { text: string }): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(link)) {
    const address = trimPunctuation(match[0])
    const url = URL.canParse(address) ? new URL(address) : null
    if (url === null || url.username !== '') continue
    // Negative, to differ from the keys of links.
    parts.push(<PlainText key={-1 - match.index} text={text.slice(end, match.index)} />)
    parts.push(
      <a
        key={match.index}
        href={address}
        target="_blank"
        rel="nofollow ugc noopener"
        className="text-accent-ink underline underline-offset-4"
      >
        {displayAddress(address, url.host)}
      </a>,
    )
    end = match.index + address.length
  }
  return [...parts, <PlainText key="end" text={text.slice(end)} />]
}

/** Returns a link without punctuation of the surrounding sentence: 'see https://a.example/b.', '(https://a.example)'. */
function trimPunctuation(address: string): string {
  let end = address.length
  let unopened = address.split(')').length - address.split('(').length
  while (end > 0) {
    const last = address.charAt(end - 1)
    if (!/[.,;:!?'’”»)\]…。，、！？；：）」』】]/.test(last)) break
    if (last === ')') {
      if (unopened <= 0) break
      unopened -= 1
    }
    end -= 1
  }
  return address.slice(0, end)
}

/**
 * Returns the link as the user wrote it, made safe against spoofing: a host that differs from what the browser requests
 * is shown as requested (`xn--…`), and invisible or direction-changing characters are percent-encoded.
 */
function displayAddress(address: string, host: string): string {
  const [start = '', scheme = '', writtenHost = ''] = /^(https?:\/\/)([^/?#\\]*)/i.exec(address) ?? []
  const shownStart = writtenHost.toLowerCase() === host ? start : `${scheme}${host}`
  return shownStart + address.slice(start.length).replace(/[\p{C}\p{Z}]/gu, encodeURIComponent)
}
