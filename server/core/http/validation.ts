/** Validation of requests by the contract's schemas: bodies strictly, queries and paths converted from text. */
import { Readable } from 'node:stream'
import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify'
import { ApiError } from './errors.ts'
import { hasVisibleText, normalizeUnicode } from './unicode.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page reads its query itself and shows what is wrong with it. */
    isPage?: boolean
  }
}

/** Installs the body parser, the validators and the normalisation of texts that runs before them. */
export function registerValidation(app: FastifyInstance): void {
  readBodiesStrictly(app)
  app.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body'
      ? compileLazily(strictAjv, schema as object)
      : compileFromText(coercingAjv, schema as object),
  )
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.isPage) return done()
    const body = request.body
    if (body !== null && typeof body === 'object' && !Buffer.isBuffer(body) && !(body instanceof Readable)) {
      normaliseTexts(body)
    }
    normaliseTexts(request.query as object)
    rejectInvalidText(request.params as Record<string, string> | undefined)
    done()
  })
}

/** Accepts only JSON in valid UTF-8, so that invalid bytes are refused instead of being replaced by �. */
function readBodiesStrictly(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    // Many HTTP clients always send the type, also without a body.
    if (bytes.length === 0) return done(null, undefined)
    let text: string
    try {
      text = utf8.decode(bytes)
    } catch {
      return done(new ApiError('malformed-body'))
    }
    return parse(request, text, done)
  })
}

/** Returns a validator for values sent as text. Integers must consist of digits: `0x1F`, `1e3` and ` 7` are refused. */
function compileFromText(ajv: Ajv, schema: object): Check {
  const validate = compileLazily(ajv, schema)
  const fields = Object.entries(
    (schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {},
  )
  const integers = fields.filter(([, { type }]) => [type].flat().includes('integer')).map(([name]) => name)
  return (data) => {
    const record = data as Record<string, unknown>
    const invalid = integers.filter((name) => {
      const value = record[name]
      return typeof value === 'string' && value !== '' && !/^-?\d+$/.test(value)
    })
    if (invalid.length === 0) return validate(data)
    return { error: invalid.map((name) => validationError('type', `/${name}`, { type: 'integer' })) }
  }
}

/**
 * Returns a validator for parts of bodies that are read as a stream. It normalises texts in place and returns the
 * errors.
 * @param options.fromText whether numbers and booleans are sent as text, as in forms, and are converted
 * @returns a function whose `path` is the part's position in the body: `/bookmarks/3`
 */
export function createPartValidator(
  schema: object,
  { fromText = false } = {},
): (part: unknown, path: string) => FastifySchemaValidationError[] {
  const validate = fromText ? compileFromText(coercingAjv, schema) : compileLazily(strictAjv, schema)
  return (part, path) => {
    try {
      if (part !== null && typeof part === 'object') normaliseTexts(part, path, maxPartValues)
    } catch (error) {
      if (error instanceof TextProblem) return error.validation
      throw error
    }
    const result = validate(part)
    if (result === true) return []
    return result.error.map((error) => ({ ...error, instancePath: path + error.instancePath }))
  }
}

/** Validates a value the way Fastify expects: `true`, or the list of errors. */
type Check = (value: unknown) => true | { error: FastifySchemaValidationError[] }

/**
 * Compiles a schema when it is first used. Compiling all schemas at once took a third of the server's start time, and
 * many of them are used late or never.
 */
function compileLazily(ajv: Ajv, schema: object): Check {
  let validate: ValidateFunction | null = null
  return (value) => {
    validate ??= ajv.compile(schema)
    return validate(value) ? true : { error: (validate.errors ?? []) as FastifySchemaValidationError[] }
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

/** Maximum nesting of a body; the deepest one in the contract is four. */
const maxDepth = 32
/** Maximum number of values in a body; the longest list in the contract, the states of 500 bookmarks, has 2,500. */
const maxBodyValues = 5000
/** Maximum number of values in a part of a body; a collection with the maximum number of channels has 30,000. */
const maxPartValues = 40_000
/** The longest text that normalisation can shorten to 5,000 characters, the longest in the contract: four become one. */
const maxTextLength = 20_000

class TextProblem extends Error {
  readonly statusCode = 400
  readonly validation: FastifySchemaValidationError[]
  readonly validationContext: 'body' | 'params'
  constructor(
    instancePath: string,
    where: 'body' | 'params' = 'body',
    keyword: 'text' | 'depth' | 'size' = 'text',
  ) {
    super('invalid text')
    this.validationContext = where
    this.validation = [validationError(keyword, instancePath)]
  }
}

/**
 * Trims every text and normalises it to NFC, in place; texts without a visible character become empty. Passwords stay
 * as typed. Texts with NUL (which PostgreSQL cannot store) or lone surrogates are refused with 400, and so are bodies of
 * so many values that the checks would take long.
 */
function normaliseTexts(body: object, path = '', maxValues = maxBodyValues): void {
  let values = 0
  /** The path is determined only for a problem, because bodies have thousands of values. */
  const normalise = (container: object, findPath: () => string, depth: number): void => {
    if (depth > maxDepth) throw new TextProblem('', 'body', 'depth')
    values += Array.isArray(container) ? container.length : Object.keys(container).length
    if (values > maxValues) throw new TextProblem('', 'body', 'size')
    for (const [key, value] of Object.entries(container)) {
      const findFieldPath = () => `${findPath()}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (typeof value === 'string') {
        if (value.includes('\0') || !value.isWellFormed()) throw new TextProblem(findFieldPath())
        if (!/password/i.test(key)) (container as Record<string, unknown>)[key] = normaliseText(value)
      } else if (value !== null && typeof value === 'object') {
        normalise(value, findFieldPath, depth + 1)
      }
    }
  }
  normalise(body, () => path, 0)
}

function normaliseText(text: string): string {
  // Words, numbers and links in ASCII are normal already; texts beyond the limit are refused by their schema.
  if (/^[!-~]+$/.test(text) || text.length > maxTextLength) return text
  const normalised = normalizeUnicode(text).trim()
  return hasVisibleText(normalised) ? normalised : ''
}

/** Refuses paths with such texts, with 404. */
function rejectInvalidText(params: Record<string, string> = {}): void {
  for (const [name, text] of Object.entries(params)) {
    if (text.includes('\0') || !text.isWellFormed()) throw new TextProblem(`/${name}`, 'params')
  }
}
