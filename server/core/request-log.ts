/**
 * The loggers of requests. Pino serializes the fields of a logger when it is created, which costs each request more than its
 * rate limit, and most requests write no line. These loggers are created with their first line.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Bindings, ChildLoggerOptions } from 'pino'

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
type Level = (typeof levels)[number]
type Write = FastifyBaseLogger['info']

class RequestLog {
  readonly #parent: FastifyBaseLogger
  readonly #fields: Bindings
  readonly #options: ChildLoggerOptions
  readonly #lowestLevel: string
  #log: FastifyBaseLogger | null = null

  constructor(parent: FastifyBaseLogger, fields: Bindings, options: ChildLoggerOptions) {
    this.#parent = parent
    this.#fields = fields
    this.#options = options
    // Of the route, if it has one.
    this.#lowestLevel = options.level ?? parent.level
  }

  get level(): string {
    return this.#lowestLevel
  }

  child(fields: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger {
    return this.open().child(fields, options)
  }

  writes(level: Level): boolean {
    return levels.indexOf(level) >= levels.indexOf(this.#lowestLevel as Level)
  }

  open(): FastifyBaseLogger {
    this.#log ??= this.#parent.child(this.#fields, this.#options)
    return this.#log
  }
}

for (const level of levels) {
  const write: Write = function (this: RequestLog, ...line: Parameters<Write>) {
    if (this.writes(level)) this.open()[level](...line)
  }
  Object.defineProperty(RequestLog.prototype, level, { value: write })
}

/** Returns the logger of a request. Pass it to Fastify as `childLoggerFactory`. */
export function createRequestLog(
  parent: FastifyBaseLogger,
  fields: Bindings,
  options: ChildLoggerOptions,
): FastifyBaseLogger {
  return new RequestLog(parent, fields, options) as unknown as FastifyBaseLogger
}
