import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import type { Settings } from './settings.ts'

export type Log = pino.Logger

/** Names whose values never reach a log, in a logged object or in objects within it. */
const secretFields = new Set([
  'password',
  'password2',
  'new_password1',
  'new_password2',
  'access',
  'refresh',
  'token',
  'authorization',
  'cookie',
  'ticket',
  'secret',
  'recovery_codes',
])

/** How many objects within each other are searched for secret fields. */
const maxSecretDepth = 3

/**
 * Replaces the values of secret fields. Pino's own redaction would do the same, but with wildcards it costs 5 µs for each
 * request even if nothing is logged, because it also searches the id that every request's logger has.
 */
function hideSecrets(fields: Record<string, unknown>, depth = 1): Record<string, unknown> {
  let safe = fields
  const replace = (name: string, value: unknown) => {
    if (safe === fields) safe = (Array.isArray(fields) ? [...fields] : { ...fields }) as typeof fields
    safe[name] = value
  }
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (secretFields.has(name)) replace(name, '[secret]')
    else if (depth < maxSecretDepth && isPlain(value)) {
      const safeValue = hideSecrets(value, depth + 1)
      if (safeValue !== value) replace(name, safeValue)
    }
  }
  return safe
}

/** Returns whether a value is an object of fields. Requests, replies and errors are not: serializers describe those. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}

/**
 * Returns what Fastify logs of a request: the pattern of its route, like `/reset-password/:uidb64/:token`, never its URL.
 * A URL contains search terms, names, keys of private players and the tokens of mailed links, in spellings that no filter
 * recognises completely. The route of a path that no route matches is null.
 */
function describeRequest(request: FastifyRequest) {
  return {
    method: request.method,
    route: request.routeOptions?.url ?? null,
    remoteAddress: request.ip,
    remotePort: request.socket?.remotePort,
  }
}

/** Limits the length of a logged message. */
const maxMessageLength = 500

/** Limits how many causes of an error are logged, which may form a cycle. */
const maxCauses = 3

/** PostgreSQL's errors of class 22 quote the value that they refuse. */
const dataException = /^22[0-9A-Z]{3}$/

/**
 * Returns what is logged of an error: what it is and where it was thrown. Everything else is left out, because it may
 * hold personal data: PostgreSQL's `detail` quotes rows, Node's `input` the URL that could not be parsed.
 */
function describeError(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, message, stack = '', code, cause } = error as Error & { code?: unknown }
  const { table, constraint, routine } = error as { table?: string; constraint?: string; routine?: string }
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
  return {
    type: name,
    ...(typeof code === 'string' && { code }),
    message: dataException.test(String(code)) ? 'an invalid value' : withoutPersonalData(message),
    ...(table !== undefined && { table }),
    ...(constraint !== undefined && { constraint }),
    ...(routine !== undefined && { routine }),
    stack: frames.join('\n'),
    ...(cause !== undefined && depth < maxCauses && { cause: describeError(cause, depth + 1) }),
  }
}

/** Replaces the links and email addresses of a message. Both expressions look at each character once. */
function withoutPersonalData(message: string): string {
  return message
    .slice(0, maxMessageLength)
    .split(/(\s+)/)
    .map((word) => {
      if (word.includes('://')) return '[link]'
      return /.@./.test(word) && !word.includes('/') ? '[address]' : word
    })
    .join('')
}

/** JSON lines on standard output. */
export function openLog(settings: Pick<Settings, 'logLevel'>, destination?: pino.DestinationStream): Log {
  return pino(
    {
      level: settings.logLevel,
      serializers: { req: describeRequest, err: (error: unknown) => describeError(error) },
      formatters: { log: (fields) => hideSecrets(fields) },
    },
    destination ?? pino.destination({ sync: true }),
  )
}
