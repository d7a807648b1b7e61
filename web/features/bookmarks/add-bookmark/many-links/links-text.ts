import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { findLinks } from '../../../../ui/find-links.ts'

/** Returns the different links in a text, in order. */
export function readLinks(text: string): string[] {
  const addresses = findLinks(text).map(({ address }) => address)
  return [...new Set(addresses)].filter(isHttpUrl)
}

/** Returns the text without some of its links and without empty lines; blank if no link is left. */
export function withoutLinks(text: string, removed: readonly string[]): string {
  const addresses = new Set(removed)
  let rest = ''
  let end = 0
  for (const { address, index } of findLinks(text)) {
    if (!addresses.has(address)) continue
    rest += text.slice(end, index)
    end = index + address.length
  }
  rest += text.slice(end)
  if (readLinks(rest).length === 0) return ''
  const lines = rest.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join('\n')
}
