import { parseUrl } from '@reelmark/contract/protocol/parse-url.ts'
import providers from 'oembed-providers' with { type: 'json' }

type Scheme = { pieces: readonly string[]; endpoint: string }

/** The forms of links of the public list of oEmbed providers (https://oembed.com/providers.json), by the last two labels of the host. */
const schemes = Map.groupBy(
  providers.flatMap(({ endpoints }) =>
    endpoints.flatMap(({ url, schemes = [] }: { url: string; schemes?: string[] }) =>
      schemes.map((scheme) => ({
        domain: domainOf(/^[a-z]+:\/\/([^/?#]+)/i.exec(scheme)?.[1] ?? ''),
        pieces: withoutScheme(scheme).split('*'),
        endpoint: url.replace('{format}', 'json'),
      })),
    ),
  ),
  ({ domain }) => domain,
) as Map<string, readonly Scheme[]>

/** Returns the address of the oEmbed document of a link according to the public list of providers, or null. */
export function findProviderOembedUrl(link: string): string | null {
  const url = parseUrl(link)
  if (url === null) return null
  const text = withoutScheme(url.href)
  const found = (schemes.get(domainOf(url.hostname)) ?? []).find(
    ({ pieces }) => matches(text, pieces) || matches(`www.${text}`, pieces),
  )
  // The list contains many addresses from before sites used https.
  const endpoint = found === undefined ? null : parseUrl(found.endpoint.replace(/^http:/, 'https:'))
  if (endpoint === null) return null
  endpoint.searchParams.set('format', 'json')
  endpoint.searchParams.set('url', link)
  return endpoint.href
}

/** Returns whether the pieces occur in the text in their order, the first at its start and the last at its end. */
function matches(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

function withoutScheme(link: string): string {
  return link.replace(/^[a-z]+:\/\/(?:www\.)?/i, '')
}

function domainOf(host: string): string {
  return host.toLowerCase().split('.').slice(-2).join('.')
}
