import type { ReactNode } from 'react'
import { findLinks } from './find-links.ts'
import { PlainText } from './plain-text.tsx'

/** Shows user text with web links made clickable and everything else as plain text (plain-text.tsx). */
export function LinkedText({ text }: { text: string }): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const { address, index, host } of findLinks(text)) {
    // Negative, to differ from the keys of links.
    parts.push(<PlainText key={-1 - index} text={text.slice(end, index)} />)
    parts.push(
      <a
        key={index}
        href={address}
        target="_blank"
        rel="nofollow ugc noopener"
        className="text-accent-ink underline underline-offset-4"
      >
        {displayAddress(address, host)}
      </a>,
    )
    end = index + address.length
  }
  return [...parts, <PlainText key="end" text={text.slice(end)} />]
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
