/** Encodes rows for COPY in the binary format, which takes the database a third less time than text. */
import type { Client } from 'pg'
import type { Lexeme } from './search-vector.ts'

/** Times are numbers: milliseconds since 1970. Texts are ASCII. */
export type Value = string | number | boolean | null | string[] | Lexeme[]

/** The size of the chunks, and space for the row that exceeds it. */
const chunkBytes = 262_144
const rowBytes = 65_536

const epoch2000 = Date.UTC(2000, 0, 1)
const textOid = 25

/** Bytes in the order that PostgreSQL sends: the highest first. */
class Chunk {
  private readonly bytes = new Uint8Array(chunkBytes + rowBytes)
  private readonly view = new DataView(this.bytes.buffer)
  private length = 0

  get isFull(): boolean {
    return this.length >= chunkBytes
  }

  get written(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  int8(value: number): void {
    this.bytes[this.length++] = value
  }

  int16(value: number): void {
    this.view.setInt16(this.length, value)
    this.length += 2
  }

  int32(value: number): void {
    this.view.setInt32(this.length, value)
    this.length += 4
  }

  int64(value: number): void {
    this.int32(Math.floor(value / 2 ** 32))
    this.int32(value | 0)
  }

  float64(value: number): void {
    this.view.setFloat64(this.length, value)
    this.length += 8
  }

  ascii(text: string): void {
    for (let index = 0; index < text.length; index++) this.bytes[this.length++] = text.charCodeAt(index)
  }

  /** Writes the number of bytes before them. */
  sized(write: () => void): void {
    const start = this.length
    this.int32(0)
    write()
    this.view.setInt32(start, this.length - start - 4)
  }
}

type Encode = (chunk: Chunk, value: never) => void

/** How values of each type are written: as the functions of PostgreSQL that receive them expect it (textrecv, tsvectorrecv …). */
const encoders: Record<string, Encode> = {
  boolean: (chunk, value: boolean) => {
    chunk.int32(1)
    chunk.int8(value ? 1 : 0)
  },
  integer: (chunk, value: number) => {
    chunk.int32(4)
    chunk.int32(value)
  },
  bigint: (chunk, value: number) => {
    chunk.int32(8)
    chunk.int64(value)
  },
  'double precision': (chunk, value: number) => {
    chunk.int32(8)
    chunk.float64(value)
  },
  'timestamp with time zone': (chunk, value: number) => {
    chunk.int32(8)
    chunk.int64((Math.floor(value) - epoch2000) * 1000)
  },
  text: writeText,
  'text[]': (chunk, values: string[]) =>
    chunk.sized(() => {
      // One dimension, no nulls, of texts, so many from index 1.
      for (const number of [1, 0, textOid, values.length, 1]) chunk.int32(number)
      for (const value of values) writeText(chunk, value)
    }),
  // Lexemes in another order would be stored with other padding, so that equal vectors would differ.
  tsvector: (chunk, lexemes: Lexeme[]) =>
    chunk.sized(() => {
      chunk.int32(lexemes.length)
      for (const { text, positions } of lexemes) {
        chunk.ascii(text)
        chunk.int8(0)
        chunk.int16(positions.length)
        for (const position of positions) chunk.int16(position)
      }
    }),
}

function writeText(chunk: Chunk, value: string): void {
  chunk.int32(value.length)
  chunk.ascii(value)
}

/**
 * Returns a function that yields rows of a table in chunks of about 256 KB.
 * @throws Error if a column has a type that no generated column has
 */
export async function rowEncoder(
  client: Client,
  table: string,
  columns: string[],
): Promise<(rows: Iterable<Value[]>) => Generator<Uint8Array>> {
  const { rows: found } = await client.query<{ name: string; type: string }>(
    `select attname as name, atttypid::regtype::text as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0`,
    [table],
  )
  const types = new Map(found.map(({ name, type }) => [name, type]))
  const columnEncoders = columns.map((name) => {
    const encode = encoders[types.get(name) ?? '']
    if (encode === undefined) throw new Error(`The column ${table}.${name} cannot be generated.`)
    return encode
  })
  return (rows) => encodeRows(columnEncoders, rows)
}

function* encodeRows(columns: Encode[], rows: Iterable<Value[]>): Generator<Uint8Array> {
  let chunk = new Chunk()
  chunk.ascii('PGCOPY\n\xff\r\n\0')
  // No flags, and no extension of the header.
  chunk.int32(0)
  chunk.int32(0)
  for (const row of rows) {
    chunk.int16(columns.length)
    for (const [index, encode] of columns.entries()) {
      const value = row[index] ?? null
      if (value === null) chunk.int32(-1)
      else encode(chunk, value as never)
    }
    if (!chunk.isFull) continue
    yield chunk.written
    chunk = new Chunk()
  }
  // The end.
  chunk.int16(-1)
  yield chunk.written
}
