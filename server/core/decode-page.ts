import { isAscii, isUtf8 } from 'node:buffer'
import { createYield, nextTurn } from './yield.ts'

/** How many bytes are decoded without a pause: takes up to four milliseconds, and 300 for a page of 5 MB at once. */
const chunkBytes = 65_536

/**
 * Decodes the bytes of a page, with pauses for other work. The bytes themselves count more than the declared charset:
 * text beyond ASCII is hardly ever valid UTF-8 by accident, while headers and meta tags often name a former encoding.
 * Otherwise as browsers do: the header, the page's own declaration, then the usual encoding of the host's country.
 *
 * @param contentTypeHeader the header as received, with its charset
 * @param host the host that sent it
 */
export function decodePage(bytes: Uint8Array, contentTypeHeader: string, host = ''): Promise<string> {
  const bomCharset = byteOrderMark(bytes)
  if (bomCharset !== null) return decodeAs(bomCharset, bytes)
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 8192))
  const declared =
    supported(readCharset(contentTypeHeader)) ??
    asDeclaredInside(supported(readCharset(metaTag(start)) ?? xmlEncoding(start)))
  // Seven-bit encodings look like ASCII.
  const isSevenBit = isAscii(bytes) && /^(?:iso-2022|utf-16)/i.test(declared ?? '')
  const fallback = charsetsByCountry.find(([ends]) => ends.test(host))?.[1] ?? 'windows-1252'
  return decodeAs(isUtf8(bytes) && !isSevenBit ? 'utf-8' : (declared ?? fallback), bytes)
}

/** The encodings of pages that declare none, as in browsers (https://html.spec.whatwg.org/#determining-the-character-encoding). */
const charsetsByCountry: readonly (readonly [ends: RegExp, charset: string])[] = [
  [/\.(?:ru|su|by|bg|mk|rs|kz|kg|xn--p1ai)$/, 'windows-1251'],
  [/\.ua$/, 'windows-1251'],
  [/\.(?:pl|cz|sk|hu|hr|si|ro|ba)$/, 'windows-1250'],
  [/\.jp$/, 'shift_jis'],
  [/\.kr$/, 'euc-kr'],
  [/\.(?:cn|xn--fiqs8s)$/, 'gb18030'],
  [/\.(?:tw|hk|mo)$/, 'big5'],
  [/\.gr$/, 'iso-8859-7'],
  [/\.tr$/, 'windows-1254'],
  [/\.il$/, 'windows-1255'],
  [/\.(?:ir|eg|sa|ae|iq|sy|jo|kw)$/, 'windows-1256'],
  [/\.(?:lt|lv|ee)$/, 'windows-1257'],
  [/\.vn$/, 'windows-1258'],
  [/\.th$/, 'windows-874'],
]

/** Returns the encoding that a label stands for, or null for labels that browsers ignore. */
function supported(label: string | null): string | null {
  try {
    return label === null ? null : new TextDecoder(label).encoding
  } catch {
    return null
  }
}

/** A page that can be read far enough to find its declaration is not UTF-16, whatever it says. */
function asDeclaredInside(charset: string | null): string | null {
  if (charset?.startsWith('utf-16')) return 'utf-8'
  return charset === 'x-user-defined' ? 'windows-1252' : charset
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

/** Returns the first meta tag with a charset. The start is longer than what browsers search, because large heads are common. */
function metaTag(start: string): string {
  const tags = start.match(/<meta[^<>]*/gi) ?? []
  return tags.find((tag) => /charset/i.test(tag)) ?? ''
}

function readCharset(text: string): string | null {
  return /charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i.exec(text)?.[1]?.toLowerCase() ?? null
}

function xmlEncoding(start: string): string | null {
  return /^\s{0,20}<\?xml[^<>]{1,100}?\bencoding\s?=\s?["']([\w.:-]+)/i.exec(start)?.[1] ?? null
}

async function decodeAs(charset: string, bytes: Uint8Array): Promise<string> {
  const decoder = new TextDecoder(charset)
  await nextTurn()
  const letOthersRun = createYield()
  const texts: string[] = []
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    await letOthersRun()
    texts.push(decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true }))
  }
  texts.push(decoder.decode())
  return texts.join('')
}
