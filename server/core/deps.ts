/** What the server's code receives instead of importing: connections, stores and settings. */
import type { ServerKeys } from './auth/server-keys.ts'
import type { Sql } from './database/database.ts'
import type { Jobs } from './database/jobs.ts'
import type { Replica } from './database/replica.ts'
import type { VisitorCache } from './http/visitor-cache.ts'
import type { Log } from './log.ts'
import type { Mail } from './mail/mail.ts'
import type { MediaStore } from './media/store.ts'
import type { Outbound, Sender } from './outbound/outbound.ts'
import type { Settings } from './settings.ts'
import type { YtDlp } from './yt-dlp/yt-dlp.ts'

export interface Deps {
  settings: Settings
  log: Log
  /** The primary database, for writes and for reads that must be current. */
  db: Sql
  /** Null without a replica. Handlers of endpoints read from `readDb` of their call, which is the replica or the primary. */
  replica: Replica | null
  outbound: Outbound & Sender
  /** Null: the setting YT_DLP is not set. */
  ytDlp: YtDlp | null
  media: MediaStore
  mail: Mail
  jobs: Jobs
  serverKeys: ServerKeys
  visitorCache: VisitorCache
}

declare module 'fastify' {
  interface FastifyInstance {
    deps: Deps
  }
}
