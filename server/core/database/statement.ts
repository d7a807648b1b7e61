/** SQL as tagged templates: what may stand in one, and the text and parameters that are sent. */
import { writeArray } from './values.ts'

// biome-ignore lint/suspicious/noExplicitAny: a statement's columns are known to its author alone; `db<Row[]>` names them.
export type Row = Record<string, any>

/** The rows of a statement, and how many rows it returned or changed. */
export type Rows<T extends readonly unknown[]> = T & { readonly count: number }

/** A part of a statement: `where ${condition}`. Any statement can be one. */
// biome-ignore lint/suspicious/noExplicitAny: nobody reads the rows of a fragment.
export type Fragment = Statement<any>

/** What may stand in a template: a parameter, or a part of the statement. */
export type Argument =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | readonly unknown[]
  | object
  | null
  | undefined

export type Parameter = string | Buffer | null

/**
 * A statement that runs once, when it is awaited for the first time. A statement that is put into another one as a
 * fragment does not run by itself.
 */
export class Statement<Result> implements Promise<Result> {
  readonly strings: readonly string[]
  readonly args: readonly unknown[]
  readonly #run: (statement: Statement<Result>) => Promise<Result>
  #result: Promise<Result> | null = null

  constructor(
    strings: readonly string[],
    args: readonly unknown[],
    run: (statement: Statement<Result>) => Promise<Result>,
  ) {
    this.strings = strings
    this.args = args
    this.#run = run
  }

  get [Symbol.toStringTag](): string {
    return 'Statement'
  }

  // biome-ignore lint/suspicious/noThenProperty: it is awaited as a promise is.
  then<A = Result, B = never>(
    onFulfilled?: ((result: Result) => A | PromiseLike<A>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: as Promise has it.
    onRejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#run(this)
    return this.#result.then(onFulfilled, onRejected)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as Promise has it.
  catch<B = never>(onRejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<Result | B> {
    return this.then(null, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Result> {
    return this.then().finally(onFinally)
  }
}

/** A name in a statement, quoted; a dot separates schema or table from what belongs to it. */
export class Identifier {
  readonly text: string

  constructor(name: string) {
    this.text = name.split('.').map(quoteName).join('.')
  }
}

/** A row to insert, or the columns to change: which of the two, the text before it says. */
export class ColumnValues {
  readonly row: Readonly<Record<string, unknown>>

  constructor(row: object) {
    this.row = row as Record<string, unknown>
  }
}

/** A value that is sent as jsonb, whatever its JavaScript type. */
export class Json {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * Returns the text of a statement with `$1`, `$2`, … and their values.
 * @throws TypeError for a value that no parameter can be, as `undefined`.
 */
export function compile(statement: Fragment): { text: string; values: Parameter[] } {
  const values: Parameter[] = []
  return { text: appendStatement('', statement, values), values }
}

function appendStatement(before: string, { strings, args }: Fragment, values: Parameter[]): string {
  let text = before + strings[0]
  for (let at = 0; at < args.length; at++) text = appendArgument(text, args[at], values) + strings[at + 1]
  return text
}

function appendArgument(text: string, value: unknown, values: Parameter[]): string {
  if (typeof value !== 'object' || value === null) return text + parameter(value, values)
  if (value instanceof Statement) return appendStatement(text, value, values)
  if (value instanceof Identifier) return text + value.text
  if (value instanceof ColumnValues) return text + columnValues(text, value.row, values)
  if (Array.isArray(value) && value[0] instanceof Statement) {
    return value.reduce((sum, part) => `${appendArgument(sum, part, values)} `, text)
  }
  return text + parameter(value, values)
}

function columnValues(before: string, row: Readonly<Record<string, unknown>>, values: Parameter[]): string {
  const names = Object.keys(row)
  if (/\bset\s*$/i.test(before.slice(-20))) {
    return names.map((name) => appendArgument(`${quoteName(name)} = `, row[name], values)).join(', ')
  }
  const list = names.map((name) => appendArgument('', row[name], values)).join(', ')
  return `(${names.map(quoteName).join(', ')}) values (${list})`
}

/**
 * Adds the value and returns its place. The server finds out the type from where the parameter stands, except for the
 * JavaScript types that mean one type only.
 */
function parameter(value: unknown, values: Parameter[]): string {
  const place = `$${values.length + 1}`
  const add = (text: Parameter, type = '') => {
    values.push(text)
    return place + type
  }
  if (value === null) return add(null)
  if (typeof value === 'string') return add(value)
  if (typeof value === 'number') return add(String(value))
  if (typeof value === 'boolean') return add(String(value), '::boolean')
  if (typeof value === 'bigint') return add(String(value), '::bigint')
  if (value instanceof Date) return add(value.toISOString(), '::timestamptz')
  if (Buffer.isBuffer(value)) return add(value, '::bytea')
  if (value instanceof Uint8Array) return add(Buffer.from(value), '::bytea')
  if (value instanceof Json) return add(JSON.stringify(value.value), '::jsonb')
  if (Array.isArray(value)) return add(writeArray(value))
  if (typeof value === 'object') return add(JSON.stringify(value))
  throw new TypeError(`A parameter of a statement cannot be of the type ${typeof value}.`)
}
