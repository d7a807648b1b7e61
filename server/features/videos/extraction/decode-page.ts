/**
 * Decodes the bytes of a page. The bytes themselves count more than the declared charset: text beyond ASCII is hardly ever
 * valid UTF-8 by accident, while headers and meta tags often name a former encoding.
 *
 * @param contentTypeHeader the header as received, with its charset
 */
export function decodePage(bytes: Uint8Array, contentTypeHeader: string): string {
  const bomCharset = byteOrderMark(bytes)
  if (bomCharset !== null) return decodeAs(bomCharset, bytes)
  const declared = readCharset(contentTypeHeader) ?? readCharset(metaStart(bytes))
  const utf8 = strictUtf8(bytes)
  const isAscii = utf8 !== null && utf8.length === bytes.length
  // Seven-bit encodings look like ASCII.
  if (utf8 !== null && !(isAscii && /^(?:iso-2022|utf-16|utf-7)/i.test(declared ?? ''))) return utf8
  return decodeAs(declared ?? 'windows-1252', bytes)
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

/** Returns the first meta tag with a charset. Searches somewhat further than browsers do, because large heads are common. */
function metaStart(bytes: Uint8Array): string {
  const tags = new TextDecoder('latin1').decode(bytes.subarray(0, 8192)).match(/<meta[^<>]*/gi) ?? []
  return tags.find((tag) => /charset/i.test(tag)) ?? ''
}

function readCharset(text: string): string | null {
  return /charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i.exec(text)?.[1]?.toLowerCase() ?? null
}

function strictUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function decodeAs(charset: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder('utf-8').decode(bytes)
  }
}
