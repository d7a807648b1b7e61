import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, constants as zlib } from 'node:zlib'
import { OutboundError } from './outbound-error.ts'

/** The supported content codings. Nested codings are refused, because only attacks use them. */
export const acceptedEncodings = 'gzip, br, deflate'

/**
 * Reads and decompresses a body. The size is checked while reading, so that a decompression bomb needs at most
 * `maxBytes` of memory.
 *
 * @param encoding the Content-Encoding header as received
 * @throws {OutboundError} too-large, bad-answer (unknown, nested or broken coding)
 */
export async function readBody(
  body: Readable,
  { encoding, maxBytes }: { encoding: string | string[] | undefined; maxBytes: number },
): Promise<Buffer> {
  const decoder = decoderFor(encoding)
  const chunks: Buffer[] = []
  let size = 0
  async function collect(source: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw new OutboundError('too-large')
      chunks.push(chunk)
    }
  }
  if (decoder === null) await pipeline(body, collect)
  else {
    await pipeline(body, decoder, collect).catch((cause: unknown) => {
      const code = (cause as { code?: unknown }).code
      const isCoding =
        typeof code === 'string' && /^(?:Z_|ERR_(?:BROTLI_)?(?:_?DECOD|DECODER|PADDING))/.test(code)
      throw isCoding ? new OutboundError('bad-answer', { cause }) : cause
    })
  }
  return Buffer.concat(chunks, size)
}

function decoderFor(encoding: string | string[] | undefined) {
  // Tolerates a truncated end, as browsers do, because many servers cut off the last bytes.
  const options = { finishFlush: zlib.Z_SYNC_FLUSH }
  switch (
    String(encoding ?? '')
      .trim()
      .toLowerCase()
  ) {
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip(options)
    case 'deflate':
      return createInflate(options)
    case 'br':
      return createBrotliDecompress({ finishFlush: zlib.BROTLI_OPERATION_FLUSH })
    default:
      throw new OutboundError('bad-answer')
  }
}
