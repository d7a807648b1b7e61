/**
 * A web link, unless its host is longer than a host name can be: the browser would convert an international name to
 * ASCII, in time quadratic in its length.
 */
const link = /https?:\/\/(?![^\s<>"/?#\\]{260})[^\s<>"]+/gi

export interface FoundLink {
  /** As written, without punctuation of the surrounding sentence. */
  address: string
  /** Where it begins in the text. */
  index: number
  /** In ASCII, as the browser requests it. */
  host: string
}

/** Returns the web links in a text, in order. Links with credentials are left out. */
export function findLinks(text: string): FoundLink[] {
  const found: FoundLink[] = []
  for (const { 0: match, index } of text.matchAll(link)) {
    const address = trimPunctuation(match)
    const url = URL.canParse(address) ? new URL(address) : null
    if (url !== null && url.username === '') found.push({ address, index, host: url.host })
  }
  return found
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
