/** Writes zip files, also such that no tool writes. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: string | Buffer
  /** The general purpose flags: 1 stands for encrypted. */
  flags?: number
  /** 8 (deflated) or 0 (stored); other numbers are methods that cannot be read. */
  method?: number
  /** Claims another size of the content. */
  claimedSize?: number
  /** Claims a size of the content in the form for files beyond 4 GB (zip64). */
  claimedLongSize?: bigint
  /** Uses the data of the entry at this position. */
  sharedWith?: number
}

/** Returns a zip file with the entries. */
export function createZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const offsets: number[] = []
  const headers: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { name, content, flags = 0x800, method = 8, sharedWith } = entry
    const bytes = Buffer.from(content)
    const data = method === 8 ? deflateRawSync(bytes) : bytes
    const fileName = Buffer.from(name)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(flags, 2)
    header.writeUInt16LE(method, 4)
    header.writeUInt32LE(crc32(bytes), 10)
    header.writeUInt32LE(data.length, 14)
    const isLong = entry.claimedLongSize !== undefined
    header.writeUInt32LE(isLong ? 0xffffffff : (entry.claimedSize ?? bytes.length), 18)
    header.writeUInt16LE(fileName.length, 22)
    const extra = Buffer.alloc(isLong ? 12 : 0)
    if (isLong) {
      extra.writeUInt16LE(1, 0)
      extra.writeUInt16LE(8, 2)
      extra.writeBigUInt64LE(entry.claimedLongSize ?? 0n, 4)
      header.writeUInt16LE(extra.length, 24)
    }
    const at = sharedWith === undefined ? offset : (offsets[sharedWith] ?? 0)
    offsets.push(at)
    headers.push(header)
    if (sharedWith === undefined) {
      const local = [Buffer.from('PK\x03\x04', 'latin1'), header, fileName, extra, data]
      parts.push(...local)
      offset += local.reduce((sum, part) => sum + part.length, 0)
    }
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), header, tail, fileName, extra)
  }
  const directoryBytes = Buffer.concat(directory)
  // The end of a directory with more entries than its usual end can name (zip64), and the position of that record.
  const longEnd = Buffer.alloc(entries.length > 0xffff ? 76 : 0)
  if (longEnd.length > 0) {
    longEnd.write('PK\x06\x06', 'latin1')
    longEnd.writeBigUInt64LE(44n, 4)
    longEnd.writeBigUInt64LE(BigInt(entries.length), 24)
    longEnd.writeBigUInt64LE(BigInt(entries.length), 32)
    longEnd.writeBigUInt64LE(BigInt(directoryBytes.length), 40)
    longEnd.writeBigUInt64LE(BigInt(offset), 48)
    longEnd.write('PK\x06\x07', 56, 'latin1')
    longEnd.writeBigUInt64LE(BigInt(offset + directoryBytes.length), 64)
    longEnd.writeUInt32LE(1, 72)
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10)
  end.writeUInt32LE(directoryBytes.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, directoryBytes, longEnd, end])
}
