import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import type { Settings } from './settings.ts'

export type Log = pino.Logger

/** Names whose values never reach a log, wherever they stand. */
const redactedFields = [
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
]

/**
 * Returns a URL without the secrets of mailed links and of redirects from identity providers, because a reader of the
 * log could use them first.
 */
function redactUrl(url: string): string {
  return url
    .replace(/(\/(?:confirm-email|unsubscribe)\/)[^/?#]+/i, '$1[secret]')
    .replace(/(\/reset-password\/[^/?#]*\/)[^/?#]+/i, '$1[secret]')
    .replace(/([?&](?:token|code|state)=)[^&#]*/gi, '$1[secret]')
}

/** Returns what Fastify logs of a request, without secrets in the URL. */
function describeRequest(request: FastifyRequest) {
  return {
    method: request.method,
    url: redactUrl(request.url),
    host: request.host,
    remoteAddress: request.ip,
    remotePort: request.socket?.remotePort,
  }
}

/** JSON lines on standard output. */
export function openLog(settings: Pick<Settings, 'logLevel'>, destination?: pino.DestinationStream): Log {
  return pino(
    {
      level: settings.logLevel,
      serializers: { req: describeRequest },
      redact: {
        paths: redactedFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[secret]',
      },
    },
    destination ?? pino.destination({ sync: true }),
  )
}
