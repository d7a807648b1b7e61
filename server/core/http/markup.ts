/** A template for XML and HTML documents: `markup\`<title>${title}</title>\``. Every text in it is escaped. */

/** A part of a document that is not escaped again. */
export interface Markup {
  readonly markup: string
}

type Part = string | number | Markup | readonly Markup[] | null

/** Characters that XML 1.0 does not allow, not even as references, among them halves of surrogate pairs. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Returns a text without the characters that XML does not allow. */
export function withoutForbiddenCharacters(text: string): string {
  return text.replace(forbidden, '')
}

/** References that XML and HTML both know. */
const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for XML and HTML, in an element as well as in an attribute. */
function escapeText(text: string): string {
  return withoutForbiddenCharacters(text).replace(/[&<>"']/g, (character) => references[character] ?? '')
}

/** Fills a template with escaped texts, with other parts of the document, or with nothing for null. */
export function markup(strings: readonly string[], ...parts: readonly Part[]): Markup {
  return { markup: strings.reduce((text, string, n) => text + write(parts[n - 1] ?? null) + string) }
}

function write(part: Part): string {
  if (part === null) return ''
  if (typeof part !== 'object') return escapeText(String(part))
  return 'markup' in part ? part.markup : part.map((each) => each.markup).join('')
}

/** Returns an XML document with its declaration. */
export function xmlDocument({ markup: text }: Markup): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${text.trim()}\n`
}
