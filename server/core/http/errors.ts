/** API errors, and the one place that turns them into responses (docs/behaviour.md, API). */
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { type ErrorName, errors } from '@reelmark/contract/protocol/errors.ts'
import { Username } from '@reelmark/contract/protocol/fields.ts'
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
} from 'fastify'
import { isConnectionError } from '../database/database.ts'
import { StoreError } from '../media/store-error.ts'

/** PostgreSQL's code for a statement that exceeded the statement timeout. */
const queryCancelled = '57014'
/** When clients may ask for a picture again while the store is away. */
const storeRetrySeconds = 5

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorName
  readonly status: number
  readonly body: Record<string, unknown>
  /** In seconds; sent as the Retry-After header. */
  readonly retryAfter: number | null

  /** `extra` is merged into the body: `new ApiError('already-saved', {bookmark_id: 7})`. */
  constructor(code: ErrorName, extra: Record<string, unknown> = {}, retryAfter: number | null = null) {
    const [status, text] = errors[code]
    super(text)
    this.code = code
    this.status = status
    this.body = { detail: text, ...extra }
    this.retryAfter = retryAfter
  }
}

/** Status 400 with messages by field, nested like the request body: `{video: {title: ['…']}}`. */
export class InvalidFields extends Error {
  override readonly name = 'InvalidFields'
  readonly code = 'invalid'
  readonly status = 400
  readonly body: Record<string, unknown>

  constructor(fields: Record<string, unknown>) {
    super('invalid fields')
    this.body = fields
  }
}

/** Installs the error handler and the not-found handler. Responses never contain stack traces or internal messages. */
export function registerErrors(app: FastifyInstance): void {
  // Replaces Fastify's handler, which would log the URL with its query.
  app.setNotFoundHandler(sendNotFound)
  app.setErrorHandler((error: FastifyError | ApiError | InvalidFields, request, reply) => {
    if (error instanceof ApiError) return sendError(reply, error.code, error.body, error.retryAfter)
    if (error instanceof InvalidFields) return sendError(reply, error.code, error.body)
    if (error.validation !== undefined) return sendInvalid(error.validation, error.validationContext, reply)
    // The client disconnected while it sent the body. The code of this error is that of a lost database connection, too.
    if (error.code === 'ECONNRESET' && request.raw.errored !== null) return sendError(reply, 'malformed-body')
    if (isConnectionError(error) || error.code === queryCancelled) {
      request.log.error({ err: error }, 'the database is unavailable')
      return sendError(reply, 'unavailable', {}, 2)
    }
    if (error instanceof StoreError) {
      request.log.warn({ err: error }, 'the picture store is unavailable')
      return sendError(reply, 'unavailable', {}, storeRetrySeconds)
    }
    const code = frameworkErrors[error.code] ?? statusErrors[error.statusCode ?? 500]
    if (code !== undefined) return sendError(reply, code)
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      return sendError(reply, 'invalid', { detail: error.message })
    }
    request.log.error({ err: error }, 'a request failed')
    return sendError(reply, 'internal-error', { request_id: request.id })
  })
}

/** Sends the response for a path without a route. */
export function sendNotFound(_request: FastifyRequest, reply: FastifyReply) {
  return sendError(reply, 'not-found')
}

/** Error names by Fastify's error codes. */
const frameworkErrors: Record<string, ErrorName> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed-body',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed-body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-body',
}

/** Error names by status, for errors thrown by Fastify and its plugins. */
const statusErrors: Record<number, ErrorName> = {
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'too-large',
  415: 'unsupported-type',
  429: 'rate-limited',
}

/** Endpoint groups whose errors also carry `error`, the first message (docs/behaviour.md, API). */
const groupsWithErrorField = ['extraction', 'reports', 'moderation']

/**
 * Sends an error with its status and code.
 * @param problem the other fields of the body; by default `detail` with the message of the error
 */
function sendError(
  reply: FastifyReply,
  code: ErrorName,
  problem: Record<string, unknown> = {},
  retryAfter: number | null = null,
) {
  const [status, text] = errors[code]
  reply.request.errorCode = code
  const groups = reply.request.routeOptions.schema?.tags ?? []
  const hasErrorField = groups.some((group) => groupsWithErrorField.includes(group))
  const fields = code === 'invalid' ? problem : { detail: text, ...problem }
  const body = { ...(hasErrorField && { error: errorTexts(fields)[0] }), ...fields, code }
  // Required by RFC 9110, section 15.5.2. Browsers do not show a login dialog for the Bearer scheme.
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  if (retryAfter !== null) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfter))))
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(JSON.stringify(body))
}

function sendInvalid(
  problems: FastifySchemaValidationError[],
  context: string | undefined,
  reply: FastifyReply,
) {
  if (context === 'params') return sendError(reply, 'not-found')
  if (context === 'querystring' && problems.some((problem) => problem.instancePath === '/page')) {
    return sendError(reply, 'invalid-page')
  }
  return sendError(reply, 'invalid', fieldProblems(problems))
}

/** Limits the size of an error response to a body that consists of invalid fields. */
const maxProblems = 100

/**
 * Converts Ajv's errors to messages in the format of Django REST framework, nested like the body. Exported for its
 * test.
 */
export function fieldProblems(problems: FastifySchemaValidationError[]): Record<string, unknown> {
  const tree: Record<string, unknown> = {}
  for (const problem of problems.slice(0, maxProblems)) {
    const path = problem.instancePath
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    const params = problem.params as Record<string, unknown>
    if (problem.keyword === 'required') path.push(String(params.missingProperty))
    if (problem.keyword === 'additionalProperties') path.push(String(params.additionalProperty))
    setProblem(tree, path.length === 0 ? ['non_field_errors'] : path, problemText(problem, params))
  }
  return tree
}

function setProblem(tree: Record<string, unknown>, path: string[], text: string): void {
  const [name = '', ...rest] = path
  // Checks own properties and uses defineProperty, because a field may be called __proto__.
  const current = Object.hasOwn(tree, name) ? tree[name] : undefined
  const set = (value: unknown) =>
    Object.defineProperty(tree, name, { value, enumerable: true, writable: true, configurable: true })
  if (rest.length === 0 || Array.isArray(current)) {
    if (current === undefined) set([text])
    else if (Array.isArray(current) && !current.includes(text)) current.push(text)
    return
  }
  if (current === undefined) set({})
  setProblem(tree[name] as Record<string, unknown>, rest, text)
}

function problemText(problem: FastifySchemaValidationError, params: Record<string, unknown>): string {
  switch (problem.keyword) {
    case 'required':
      return 'This field is required.'
    case 'additionalProperties':
      return 'Unknown field.'
    case 'type':
      return (
        typeTexts[String(Array.isArray(params.type) ? params.type[0] : params.type)] ?? 'Not a valid value.'
      )
    case 'minLength':
      return params.limit === 1 ? 'This field is required.' : `Must be at least ${params.limit} characters.`
    case 'maxLength':
      return `Must be ${params.limit} characters or fewer.`
    case 'minimum':
      return `Must be ${params.limit} or more.`
    case 'maximum':
      return `Must be ${params.limit} or less.`
    case 'maxItems':
      return `Must have ${params.limit} items or fewer.`
    case 'minItems':
      return 'This list may not be empty.'
    case 'enum':
      return 'Not a valid choice.'
    case 'pattern':
      return params.pattern === usernamePattern ? usernameText : 'Not a valid value.'
    case 'format':
      return formatTexts[String(params.format)] ?? 'Not a valid value.'
    case 'text':
      return "This contains characters we can't store."
    case 'depth':
      return 'The body is nested too deeply.'
    case 'size':
      return 'The body has too many values.'
    default:
      return 'Not a valid value.'
  }
}

const usernamePattern = (Username as { pattern?: string }).pattern
const usernameText = 'Use letters, numbers, dots, dashes or underscores, and start with a letter or number.'

const typeTexts: Record<string, string> = {
  string: 'Not a valid string.',
  integer: 'A valid integer is required.',
  number: 'A valid number is required.',
  boolean: 'Must be a valid boolean.',
  array: 'Expected a list of items.',
  object: 'Expected an object.',
}

const formatTexts: Record<string, string> = {
  'http-url': 'Enter a valid URL.',
  'http-url-or-blank': 'Enter a valid URL.',
  email: 'Enter a valid email address.',
}
