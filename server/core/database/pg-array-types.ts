import type { PostgresType } from 'postgres'

// Why this is here at all: left alone, the driver asks each new connection for the array types first, and if the
// connection breaks during that question, the failure reaches nobody and ends the process (porsager/postgres #1192,
// #1223). The types of PostgreSQL itself have fixed numbers, so nothing need be asked.

type ElementType = { read(text: string): unknown; write(value: unknown): string }

const text: ElementType = { read: (value) => value, write: String }
const number: ElementType = { read: Number, write: String }
const boolean: ElementType = { read: (value) => value === 't', write: (value) => (value ? 't' : 'f') }
const timestamp: ElementType = {
  read: (value) => new Date(value),
  write: (value) => (value instanceof Date ? value.toISOString() : String(value)),
}
const json: ElementType = { read: (value) => JSON.parse(value), write: (value) => JSON.stringify(value) }

/** Name, number of the element type, number of the array type, as in pg_type. */
const knownTypes: [name: string, element: number, array: number, ElementType][] = [
  ['bool', 16, 1000, boolean],
  ['int8', 20, 1016, number],
  ['int2', 21, 1005, number],
  ['int4', 23, 1007, number],
  ['text', 25, 1009, text],
  ['json', 114, 199, json],
  ['float4', 700, 1021, number],
  ['float8', 701, 1022, number],
  ['varchar', 1043, 1015, text],
  ['date', 1082, 1182, timestamp],
  ['timestamp', 1114, 1115, timestamp],
  ['timestamptz', 1184, 1185, timestamp],
  ['numeric', 1700, 1231, text],
  ['uuid', 2950, 2951, text],
  ['jsonb', 3802, 3807, json],
]

/** For the driver's `types`: arrays of PostgreSQL's own types come and go as arrays, null elements included. */
export const arrayTypes: Record<string, PostgresType> = Object.fromEntries(
  knownTypes.map(([name, , array, element]) => [
    `${name}[]`,
    {
      to: array,
      from: [array],
      parse: (value: string) => readArray(value, element.read),
      serialize: (value: unknown) =>
        Array.isArray(value) ? writeArray(value, element.write) : String(value),
    },
  ]),
)

/** Element type to array type, as `sql.array([…])` looks it up. */
export const arrayTypeByElementType: Record<number, number> = Object.fromEntries(
  knownTypes.map(([, element, array]) => [element, array]),
)

/** Reads the text form, `{1,NULL,"a \"b\""}`, nested to any depth. */
export function readArray(source: string, read: (text: string) => unknown): unknown[] {
  // What stands before the first brace are bounds other than 1, as `[0:1]={a,b}`: JavaScript has none.
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

function writeArray(items: readonly unknown[], write: (value: unknown) => string): string {
  const parts = items.map((item) => {
    if (item === null || item === undefined) return 'NULL'
    if (Array.isArray(item)) return writeArray(item, write)
    return `"${write(item).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  })
  return `{${parts.join(',')}}`
}
