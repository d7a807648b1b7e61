/** How what comes in is checked: by the contract's schemas, bodies strictly, queries and paths from text. */
import { Readable } from 'node:stream'
import { isHttpUrl } from '@reelmark/contract/fields.ts'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify'
import { toNfc } from './unicode.ts'

/** Installs the validators and the cleaning of text that comes before them. */
export function registerValidation(app: FastifyInstance): void {
  const strict = validator(false)
  const fromText = validator(true)
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? strict : fromText).compile(schema as object),
  )
  app.addHook('preValidation', async (request) => {
    const body = request.body
    if (body !== null && typeof body === 'object' && !Buffer.isBuffer(body) && !(body instanceof Readable)) {
      cleanText(body)
    }
    cleanText(request.query as object)
    refuseOddText(request.params as Record<string, string> | undefined)
  })
}

/**
 * For bodies that are read piece by piece: cleans a piece, in place, and answers what is wrong with it.
 * @param options.fromText numbers and yes or no come as texts, as in forms, and are made of them.
 * @param path where it stands in the body: `/bookmarks/3`
 */
export function pieceCheck(
  schema: object,
  { fromText = false } = {},
): (piece: unknown, path: string) => FastifySchemaValidationError[] {
  const validate = validator(fromText).compile(schema)
  return (piece, path) => {
    try {
      if (piece !== null && typeof piece === 'object') cleanText(piece, path)
    } catch (error) {
      if (error instanceof TextProblem) return error.validation
      throw error
    }
    if (validate(piece)) return []
    return (validate.errors ?? []).map((problem) => ({
      ...problem,
      instancePath: path + problem.instancePath,
    })) as FastifySchemaValidationError[]
  }
}

function validator(coerceTypes: boolean): Ajv {
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

/** Bodies may be nested no deeper than this; the contract's deepest is four. */
const maxDepth = 32

class TextProblem extends Error {
  readonly statusCode = 400
  readonly validation: FastifySchemaValidationError[]
  readonly validationContext: 'body' | 'params'
  constructor(instancePath: string, where: 'body' | 'params' = 'body') {
    super('invalid text')
    this.validationContext = where
    this.validation = [{ keyword: 'text', instancePath, schemaPath: '', params: {}, message: '' }]
  }
}

/**
 * Trims every text and brings it to Unicode NFC, in place; passwords stay as typed.
 * Texts with NUL (which PostgreSQL cannot hold) or lone surrogates are refused with 400.
 */
function cleanText(container: object, path = '', depth = 0): void {
  if (depth > maxDepth) throw new TextProblem('')
  for (const [key, value] of Object.entries(container)) {
    const here = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) throw new TextProblem(here)
      if (!/password/i.test(key)) (container as Record<string, unknown>)[key] = toNfc(value).trim()
    } else if (value !== null && typeof value === 'object') {
      cleanText(value, here, depth + 1)
    }
  }
}

/** A path with such text in it leads nowhere: 404. */
function refuseOddText(params: Record<string, string> = {}): void {
  for (const [name, text] of Object.entries(params)) {
    if (text.includes('\0') || !text.isWellFormed()) throw new TextProblem(`/${name}`, 'params')
  }
}
