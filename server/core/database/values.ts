/**
 * Converts values between JavaScript and PostgreSQL's text format. Knows only PostgreSQL's own types, whose numbers are
 * fixed, so that no connection needs to query them. Values of every other type are read as text.
 */

type Reader = (text: string) => unknown

const readText: Reader = (text) => text
const readBoolean: Reader = (text) => text === 't'
const readTime: Reader = (text) => new Date(text)
const readBytes: Reader = (text) => Buffer.from(text.slice(2), 'hex')

/** The name, the number of the type, the number of its array type (as in pg_type), and the function that reads a value. */
const knownTypes: [name: string, type: number, arrayType: number, read: Reader][] = [
  ['bool', 16, 1000, readBoolean],
  ['bytea', 17, 1001, readBytes],
  // Counts and ids stay far below 2^53.
  ['int8', 20, 1016, Number],
  ['int2', 21, 1005, Number],
  ['int4', 23, 1007, Number],
  ['text', 25, 1009, readText],
  ['oid', 26, 1028, Number],
  ['json', 114, 199, JSON.parse],
  ['float4', 700, 1021, Number],
  ['float8', 701, 1022, Number],
  ['varchar', 1043, 1015, readText],
  ['date', 1082, 1182, readTime],
  ['timestamp', 1114, 1115, readTime],
  ['timestamptz', 1184, 1185, readTime],
  ['numeric', 1700, 1231, readText],
  ['uuid', 2950, 2951, readText],
  ['jsonb', 3802, 3807, JSON.parse],
]

const readers = new Map<number, Reader>()
for (const [, type, arrayType, read] of knownTypes) {
  // Called with one argument, because JSON.parse would use the driver's second one.
  const readElement: Reader = (text) => read(text)
  readers.set(type, readElement)
  readers.set(arrayType, (text) => readArray(text, readElement))
}

/** The `types` option of pg's clients. */
export const valueTypes = { getTypeParser: (type: number): Reader => readers.get(type) ?? readText }

/** Reads the text format of an array, `{1,NULL,"a \"b\""}`, nested to any depth. */
function readArray(source: string, read: Reader): unknown[] {
  // Bounds other than 1 precede the first brace, as in `[0:1]={a,b}`; JavaScript arrays do not have them.
  let at = source.indexOf('{')
  const list = (): unknown[] => {
    const items: unknown[] = []
    at += 1
    while (source[at] !== '}') {
      if (source[at] === '{') items.push(list())
      else if (source[at] === '"') items.push(read(quoted()))
      else items.push(plain())
      if (source[at] === ',') at += 1
    }
    at += 1
    return items
  }
  const quoted = () => {
    let value = ''
    for (at += 1; source[at] !== '"'; at += 1) {
      if (source[at] === '\\') at += 1
      value += source[at]
    }
    at += 1
    return value
  }
  const plain = () => {
    const start = at
    while (source[at] !== ',' && source[at] !== '}') at += 1
    const value = source.slice(start, at)
    return value === 'NULL' ? null : read(value)
  }
  return list()
}

/** Returns the text format of an array; `null` and `undefined` elements become NULL. */
export function writeArray(items: readonly unknown[]): string {
  const parts = items.map((item) => {
    if (item === null || item === undefined) return 'NULL'
    if (Array.isArray(item)) return writeArray(item)
    return `"${writeElement(item).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  })
  return `{${parts.join(',')}}`
}

function writeElement(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
