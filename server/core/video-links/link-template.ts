/**
 * Link templates, used in both directions: `player.vimeo.com/video/{id}?[h={hash}]` reads the parts of a link, and
 * writes a link from parts.
 *
 * - `{name}`: a part, in the form that the host's `parts` define for it
 * - `[…]`: optional; written only if all its parts exist
 * - `*`: anything within a path segment; `/**`: any further segments, or none
 * - a host matches itself and its subdomains for devices and languages (`www`, `m`, `de`); `*.host` matches all subdomains
 * - query parameters match in any order among others; `#…` matches in the fragment
 */
export type Parts = Record<string, string>

/** How many segments `/**` stands for within a path. Limited, because the time grows with it. */
const maxSegments = 5

export type LinkPattern = {
  /** Suffix of the host, for fast lookup; '' for any host. */
  domain: string
  read: (url: URL) => Parts | null
}

/**
 * Compiles a link template.
 * @param forms a regular expression per part, without anchors or capturing groups
 */
export function compileLink(template: string, forms: Record<string, RegExp>): LinkPattern {
  const [beforeHash = '', hash] = template.split('#')
  const [hostAndPath = '', query] = beforeHash.split('?')
  const slash = hostAndPath.indexOf('/')
  const host = hostAndPath.slice(0, slash)
  const pathPattern = new RegExp(
    `^${toPattern(hostAndPath.slice(slash), forms)}${patternEnd(hostAndPath, '/?$')}`,
  )
  const hashPattern = hash === undefined ? null : new RegExp(`^#${toPattern(hash, forms)}${patternEnd(hash)}`)
  const hostPattern = toHostPattern(host, forms)
  const parameters = (query ?? '')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const optional = pair.startsWith('[')
      const [name = '', value = ''] = pair.replace(/^\[|\]$/g, '').split('=')
      return { name, optional, pattern: new RegExp(`^${toPattern(value, forms)}${patternEnd(value)}`) }
    })

  function read(url: URL): Parts | null {
    const found = [hostPattern.exec(url.hostname), pathPattern.exec(url.pathname)]
    if (hashPattern !== null) found.push(hashPattern.exec(url.hash))
    if (found.includes(null)) return null
    for (const { name, optional, pattern } of parameters) {
      const match = pattern.exec(url.searchParams.get(name) ?? '')
      if (match !== null) found.push(match)
      else if (!optional) return null
    }
    return Object.fromEntries(
      found.flatMap((match) =>
        Object.entries(match?.groups ?? {}).filter(([, value]) => value !== undefined),
      ),
    )
  }

  return { domain: host.startsWith('{') ? '' : host.replace(/^\*\./, ''), read }
}

/** Returns the template filled with the parts, or null if a required part is missing. */
export function writeLink(template: string, parts: Parts): string | null {
  let complete = true
  const fill = (text: string, onMissing: () => void) =>
    text.replace(/\{(\w+)\}/g, (_all, name: string) => {
      const value = parts[name]
      if (value === undefined) onMissing()
      return value ?? ''
    })
  const withOptional = template.replace(/\[([^[\]]*)\]/g, (_all, inner: string) => {
    let hasAllParts = true
    const filled = fill(inner, () => {
      hasAllParts = false
    })
    return hasAllParts ? filled : ''
  })
  const link = fill(withOptional, () => {
    complete = false
  })
  return complete && link !== '' ? link : null
}

/** Returns the end of a pattern. After a wildcard, nothing is left to compare, which keeps the time linear. */
function patternEnd(template: string, end = '$'): string {
  return template.endsWith('*') ? '' : end
}

function toHostPattern(host: string, forms: Record<string, RegExp>): RegExp {
  if (host.startsWith('{')) return new RegExp(`^${toPattern(host, forms)}$`)
  if (host.startsWith('*.')) return new RegExp(`^(?:[^.]+\\.)*${toPattern(host.slice(2), forms)}$`)
  return new RegExp(
    `^(?:(?:www\\d?|m|mobile|touch|amp|wap|[a-z]{2}(?:-[a-z]{2})?)\\.)?${toPattern(host, forms)}$`,
  )
}

function toPattern(template: string, forms: Record<string, RegExp>): string {
  return template
    .split(/(\{\w+\}|\/\*\*\/|\/\*\*$|\*-|\*|\[|\])/)
    .map((piece) => {
      if (piece === '/**') return '(?:/|$)'
      if (piece === '/**/') return `/(?:[^/]*/){0,${maxSegments}}`
      // The same as `[^/]*-`, with one way to divide a text.
      if (piece === '*-') return '(?:[^/-]*-)+'
      if (piece === '*') return '[^/]*'
      if (piece === '[') return '(?:'
      if (piece === ']') return ')?'
      const name = /^\{(\w+)\}$/.exec(piece)?.[1]
      if (name === undefined) return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      const form = forms[name]
      if (form === undefined) throw new Error(`No form for {${name}} in '${template}'`)
      return `(?<${name}>${form.source})`
    })
    .join('')
}
