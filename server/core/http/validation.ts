/** How what comes in is checked: by the contract's schemas, bodies strictly, queries and paths from text. */
import { Readable } from 'node:stream'
import { isHttpUrl } from '@reelmark/contract/protocol/fields.ts'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify'
import { ApiError } from './errors.ts'
import { hasVisibleText, normalizeUnicode } from './unicode.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a person has in the address bar: read by the page itself, which shows what is wrong with it. */
    isPage?: boolean
  }
}

/** Installs the reading of bodies, the validators, and the cleaning of text that comes before them. */
export function registerValidation(app: FastifyInstance): void {
  readBodiesStrictly(app)
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body'
      ? compileLazily(strictAjv, schema as object)
      : compileFromText(coercingAjv, schema as object),
  )
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.isPage) return
    const body = request.body
    if (body !== null && typeof body === 'object' && !Buffer.isBuffer(body) && !(body instanceof Readable)) {
      normaliseTexts(body)
    }
    normaliseTexts(request.query as object)
    rejectInvalidText(request.params as Record<string, string> | undefined)
  })
}

/** JSON, in UTF-8 that is none with a gap in it: what cannot be read is refused, not kept as �. Nothing else. */
function readBodiesStrictly(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    let text: string
    try {
      text = utf8.decode(bytes)
    } catch {
      return done(new ApiError('malformed-body'))
    }
    return parse(request, text, done)
  })
}

/** Numbers made of text are those that are written in digits: `0x1F`, `1e3` and ` 7` are none. */
function compileFromText(ajv: Ajv, schema: object): Check {
  const validate = compileLazily(ajv, schema)
  const fields = Object.entries(
    (schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {},
  )
  const integers = fields.filter(([, { type }]) => [type].flat().includes('integer')).map(([name]) => name)
  return (data) => {
    const given = data as Record<string, unknown>
    const odd = integers.filter((name) => {
      const value = given[name]
      return typeof value === 'string' && value !== '' && !/^-?\d+$/.test(value)
    })
    if (odd.length === 0) return validate(data)
    return { error: odd.map((name) => validationError('type', `/${name}`, { type: 'integer' })) }
  }
}

/**
 * For bodies that are read piece by piece: cleans a piece, in place, and answers what is wrong with it.
 * @param options.fromText numbers and yes or no come as texts, as in forms, and are made of them.
 * @param path where it stands in the body: `/bookmarks/3`
 */
export function createPartValidator(
  schema: object,
  { fromText = false } = {},
): (piece: unknown, path: string) => FastifySchemaValidationError[] {
  const validate = fromText ? compileFromText(coercingAjv, schema) : compileLazily(strictAjv, schema)
  return (piece, path) => {
    try {
      if (piece !== null && typeof piece === 'object') normaliseTexts(piece, path)
    } catch (error) {
      if (error instanceof TextProblem) return error.validation
      throw error
    }
    const result = validate(piece)
    if (result === true) return []
    return result.error.map((found) => ({ ...found, instancePath: path + found.instancePath }))
  }
}

/** Validates a value the way Fastify expects: `true`, or the list of errors. */
type Check = (value: unknown) => true | { error: FastifySchemaValidationError[] }

/**
 * What `compile` makes, made when it is first used: compiling every call's schemas took a third of the time in which a
 * server starts, and most of what one process mounts it is asked for late, or never.
 */
function compileLazily(ajv: Ajv, schema: object): Check {
  let compiled: ValidateFunction | null = null
  return (value) => {
    compiled ??= ajv.compile(schema)
    return compiled(value) ? true : { error: (compiled.errors ?? []) as FastifySchemaValidationError[] }
  }
}

function validationError(
  keyword: string,
  instancePath: string,
  params: FastifySchemaValidationError['params'] = {},
): FastifySchemaValidationError {
  return { keyword, instancePath, schemaPath: '', params, message: '' }
}

function createAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    coerceTypes,
    useDefaults: true,
    allErrors: true,
    removeAdditional: false,
    strict: false,
  })
  addFormats.default(ajv, ['date-time', 'email'])
  ajv.addFormat('http-url', isHttpUrl)
  ajv.addFormat('http-url-or-blank', (text: string) => text === '' || isHttpUrl(text))
  return ajv
}

// Shared by all servers of a process: each schema is compiled once, although the tests start many servers.
const strictAjv = createAjv(false)
const coercingAjv = createAjv(true)

/** Bodies may be nested no deeper than this; the contract's deepest is four. */
const maxDepth = 32

class TextProblem extends Error {
  readonly statusCode = 400
  readonly validation: FastifySchemaValidationError[]
  readonly validationContext: 'body' | 'params'
  constructor(instancePath: string, where: 'body' | 'params' = 'body', keyword: 'text' | 'depth' = 'text') {
    super('invalid text')
    this.validationContext = where
    this.validation = [validationError(keyword, instancePath)]
  }
}

/**
 * Trims every text and brings it to Unicode NFC, in place; one of which nothing can be seen is blank. Passwords stay as
 * typed.
 * Texts with NUL (which PostgreSQL cannot hold) or lone surrogates are refused with 400.
 */
function normaliseTexts(container: object, path = '', depth = 0): void {
  if (depth > maxDepth) throw new TextProblem('', 'body', 'depth')
  for (const [key, value] of Object.entries(container)) {
    const here = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) throw new TextProblem(here)
      if (!/password/i.test(key)) (container as Record<string, unknown>)[key] = normaliseText(value)
    } else if (value !== null && typeof value === 'object') {
      normaliseTexts(value, here, depth + 1)
    }
  }
}

function normaliseText(text: string): string {
  const tidied = normalizeUnicode(text).trim()
  return hasVisibleText(tidied) ? tidied : ''
}

/** A path with such text in it leads nowhere: 404. */
function rejectInvalidText(params: Record<string, string> = {}): void {
  for (const [name, text] of Object.entries(params)) {
    if (text.includes('\0') || !text.isWellFormed()) throw new TextProblem(`/${name}`, 'params')
  }
}
