import type { ReactNode } from 'react'

const link = /https?:\/\/[^\s<>"]+/gi

/** Shows user text with web links made clickable and everything else as plain text. */
export function LinkedText({ text }: { text: string }): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(link)) {
    const address = trimPunctuation(match[0])
    if (!URL.canParse(address) || new URL(address).username !== '') continue
    parts.push(text.slice(end, match.index))
    parts.push(
      <a
        key={match.index}
        href={address}
        target="_blank"
        rel="nofollow ugc noopener"
        className="text-accent-ink underline underline-offset-4"
      >
        {displayAddress(address)}
      </a>,
    )
    end = match.index + address.length
  }
  return [...parts, text.slice(end)]
}

/** Returns a link without punctuation of the surrounding sentence: 'see https://a.example/b.', '(https://a.example)'. */
function trimPunctuation(address: string): string {
  let text = address
  for (;;) {
    const last = text.at(-1) ?? ''
    const isOpen = last === ')' && text.split('(').length >= text.split(')').length
    if (!/[.,;:!?'’”»)\]…。，、！？；：）」』】]/.test(last) || isOpen) return text
    text = text.slice(0, -1)
  }
}

/**
 * Returns the link as the user wrote it, made safe against spoofing: a host that differs from what the browser requests
 * is shown as requested (`xn--…`), and invisible or direction-changing characters are percent-encoded.
 */
function displayAddress(address: string): string {
  const { host } = new URL(address)
  const [start = '', scheme = '', writtenHost = ''] = /^(https?:\/\/)([^/?#\\]*)/i.exec(address) ?? []
  const shownStart = writtenHost.toLowerCase() === host ? start : `${scheme}${host}`
  return shownStart + address.slice(start.length).replace(/[\p{C}\p{Z}]/gu, encodeURIComponent)
}
