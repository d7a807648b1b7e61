/** SQL as tagged templates: their arguments, and the text and parameters that are sent. */
import { writeArray } from './values.ts'

// biome-ignore lint/suspicious/noExplicitAny: only the author of a statement knows its columns; `db<Row[]>` names them.
export type Row = Record<string, any>

/** The rows of a statement, with the number of rows that it returned or changed. */
export type Rows<T extends readonly unknown[]> = T & { readonly count: number }

/** A part of a statement: `where ${condition}`. Any statement can be one. */
// biome-ignore lint/suspicious/noExplicitAny: the rows of a fragment are never read.
export type Fragment = Statement<any>

/** An argument of a template: a parameter, or a part of the statement. */
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
 * A statement that runs once, when it is first awaited. A statement that is inserted into another one as a fragment is not
 * run on its own.
 */
export class Statement<Result> implements Promise<Result> {
  readonly strings: readonly string[]
  readonly args: readonly unknown[]
  readonly #run: (statement: Statement<Result>) => Promise<Result>
  #result: Promise<Result> | null = null
  /** Whether connections prepare the statement by name. */
  isPrepared = true

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

  /**
   * Has PostgreSQL plan the statement for its parameters each time it runs. A prepared statement soon gets one plan for all
   * parameters: cheaper to plan, but slow where a common and a rare word need different plans.
   */
  unprepared(): this {
    this.isPrepared = false
    return this
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement can be awaited like a promise.
  then<A = Result, B = never>(
    onFulfilled?: ((result: Result) => A | PromiseLike<A>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: the type is that of Promise.
    onRejected?: ((reason: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#run(this)
    return this.#result.then(onFulfilled, onRejected)
  }

  // biome-ignore lint/suspicious/noExplicitAny: the type is that of Promise.
  catch<B = never>(onRejected?: ((reason: any) => B | PromiseLike<B>) | null): Promise<Result | B> {
    return this.then(null, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<Result> {
    return this.then().finally(onFinally)
  }
}

/** A quoted name in a statement; a dot separates a schema or table from what belongs to it. */
export class Identifier {
  readonly text: string

  constructor(name: string) {
    this.text = name.split('.').map(quoteName).join('.')
  }
}

/** A row to insert, or columns to set, depending on the text before it. */
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
 * @throws TypeError for a value that cannot be a parameter, such as `undefined`
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
 * Adds a value and returns its placeholder. The server infers the type from the context, except for JavaScript types that
 * correspond to exactly one type.
 */
function parameter(value: unknown, values: Parameter[]): string {
  const placeholder = `$${values.length + 1}`
  const add = (text: Parameter, type = '') => {
    values.push(text)
    return placeholder + type
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
