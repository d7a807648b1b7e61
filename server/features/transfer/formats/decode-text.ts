/** Decodes the bytes of a file whose encoding is unknown. */
import { isAscii, isUtf8 } from 'node:buffer'

/** How many bytes are searched for a declared charset. */
const declarationBytes = 1024

/**
 * Yields the text of a file. A byte order mark determines the encoding. Otherwise the first character that is not ASCII
 * does: if its bytes are UTF-8, the file is, and what is invalid later becomes U+FFFD; else the file is in the charset
 * that a page declares, or in Windows-1252.
 */
export async function* decodeText(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null
  /** What is not decoded yet: the first bytes, or the bytes that might be the beginning of a character. */
  let pending: Buffer = Buffer.alloc(0)
  let declared: string | null = null
  let isFirst = true
  for await (const chunk of source) {
    if (decoder !== null) {
      yield decoder.decode(chunk, { stream: true })
      continue
    }
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    if (pending.length < 4) continue
    if (isFirst) {
      isFirst = false
      declared = readDeclaredCharset(pending)
      decoder = createDecoder(findMarkedCharset(pending))
    }
    decoder ??= createDecoder(findCharset(pending, declared))
    if (decoder !== null) {
      yield decoder.decode(pending, { stream: true })
      pending = Buffer.alloc(0)
      continue
    }
    const ascii = pending.length - 3
    if (isAscii(pending)) {
      yield pending.toString('latin1')
      pending = Buffer.alloc(0)
    } else {
      // The character at the end may be incomplete.
      yield pending.toString('latin1', 0, ascii)
      pending = pending.subarray(ascii)
    }
  }
  decoder ??= createDecoder(findMarkedCharset(pending))
  yield (decoder ?? new TextDecoder(isUtf8(pending) ? 'utf-8' : (declared ?? 'windows-1252'))).decode(pending)
}

/** Returns the encoding that the first character beyond ASCII shows; null if all bytes but the last three are ASCII. */
function findCharset(bytes: Buffer, declared: string | null): string | null {
  const at = bytes.findIndex((byte) => byte > 0x7f)
  if (at === -1 || at > bytes.length - 4) return null
  const isCharacter = [2, 3, 4].some((length) => isUtf8(bytes.subarray(at, at + length)))
  return isCharacter ? 'utf-8' : (declared ?? 'windows-1252')
}

/** UTF-16 without a byte order mark shows by the zero bytes of its first characters. */
function findMarkedCharset(bytes: Buffer): string | null {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first !== 0 && second === 0) return 'utf-16le'
  if (first === 0 && second !== 0 && second !== undefined) return 'utf-16be'
  return null
}

function createDecoder(charset: string | null): TextDecoder | null {
  return charset === null ? null : new TextDecoder(charset)
}

/** Returns the charset that a page declares, if it exists. UTF-8 is recognised without it. */
function readDeclaredCharset(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, declarationBytes)
  if (!start.trimStart().startsWith('<')) return null
  const name = /charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1]?.toLowerCase() ?? 'utf-8'
  try {
    return /^utf/.test(name) ? null : new TextDecoder(name).encoding
  } catch {
    return null
  }
}
