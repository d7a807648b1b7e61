import { isAscii, isUtf8 } from 'node:buffer'
import { createYield, nextTurn } from './yield.ts'

/** How many bytes are decoded without a pause: takes up to four milliseconds, and 300 for a page of 5 MB at once. */
const chunkBytes = 65_536

/**
 * Decodes the bytes of a page, with pauses for other work. The bytes themselves count more than the declared charset:
 * text beyond ASCII is hardly ever valid UTF-8 by accident, while headers and meta tags often name a former encoding.
 *
 * @param contentTypeHeader the header as received, with its charset
 */
export function decodePage(bytes: Uint8Array, contentTypeHeader: string): Promise<string> {
  const bomCharset = byteOrderMark(bytes)
  if (bomCharset !== null) return decodeAs(bomCharset, bytes)
  const declared = readCharset(contentTypeHeader) ?? readDeclaredCharset(bytes)
  // Seven-bit encodings look like ASCII.
  const isSevenBit = isAscii(bytes) && /^(?:iso-2022|utf-16|utf-7)/i.test(declared ?? '')
  return decodeAs(isUtf8(bytes) && !isSevenBit ? 'utf-8' : (declared ?? 'windows-1252'), bytes)
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

/**
 * Returns the charset of the XML declaration or of the first meta tag that has one. Searches somewhat further than browsers do,
 * because large heads are common.
 */
function readDeclaredCharset(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 8192))
  const declared = /^\s*<\?xml[^<>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(start)
  if (declared !== null) return declared[1]?.toLowerCase() ?? null
  const tags = start.match(/<meta[^<>]*/gi) ?? []
  return readCharset(tags.find((tag) => /charset/i.test(tag)) ?? '')
}

function readCharset(text: string): string | null {
  return /charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i.exec(text)?.[1]?.toLowerCase() ?? null
}

async function decodeAs(charset: string, bytes: Uint8Array): Promise<string> {
  const decoder = createDecoder(charset)
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

function createDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder('utf-8')
  }
}
