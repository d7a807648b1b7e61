import { pino } from 'pino'
import type { Settings } from './settings.ts'

export type Log = pino.Logger

/** Names whose values never reach a log, wherever they stand. */
const secrets = [
  'password',
  'password2',
  'new_password1',
  'new_password2',
  'access',
  'refresh',
  'token',
  'authorization',
  'cookie',
]

/** JSON lines on standard output. */
export function openLog(settings: Pick<Settings, 'logLevel'>, destination?: pino.DestinationStream): Log {
  return pino(
    {
      level: settings.logLevel,
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
    },
    destination ?? pino.destination({ sync: true }),
  )
}
