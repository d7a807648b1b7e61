import type { ReactNode } from 'react'

const link = /https?:\/\/[^\s<>"]+/gi

/** Words of somebody's, in which links to the web are clickable; nothing else is made of them. */
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

/** Without the punctuation of the sentence that a link stands in: 'see https://a.example/b.' and '(https://a.example)'. */
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
 * The address as it was written, but where it leads elsewhere than it looks: the host as the browser will ask for it
 * (letters of other scripts as `xn--…`), and what cannot be seen or turns the text around, escaped.
 */
function displayAddress(address: string): string {
  const { host } = new URL(address)
  const [start = '', scheme = '', writtenHost = ''] = /^(https?:\/\/)([^/?#\\]*)/i.exec(address) ?? []
  const honest = writtenHost.toLowerCase() === host ? start : `${scheme}${host}`
  return honest + address.slice(start.length).replace(/[\p{C}\p{Z}]/gu, encodeURIComponent)
}
