/** The visible list of what a server is made of. Tests boot this; main.ts adds a process around it. */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { registerApiDocs } from './core/api-docs.ts'
import type { Sql } from './core/database.ts'
import { answerNotFound, registerErrors } from './core/errors.ts'
import { registerHealth } from './core/health.ts'
import type { JobQueue, Jobs } from './core/jobs.ts'
import type { Log } from './core/log.ts'
import type { Mail } from './core/mail.ts'
import { mailQueue } from './core/mail-queue.ts'
import { registerMedia } from './core/media.ts'
import type { MediaStore } from './core/media-store.ts'
import type { Outbound } from './core/outbound.ts'
import { answerNoPage, registerPages } from './core/pages.ts'
import type { ServerKeys } from './core/secrets.ts'
import { bareHeaders, registerSecurityHeaders } from './core/security-headers.ts'
import type { Settings } from './core/settings.ts'
import { registerValidation } from './core/validation.ts'
import type { VisitorCache } from './core/visitor-cache.ts'
import { registerAccessTokens } from './features/access-tokens/routes.ts'
import { registerAccountSettings } from './features/accounts/account-routes.ts'
import { registerEmailChange } from './features/accounts/email-change-routes.ts'
import { accountsQueues } from './features/accounts/jobs.ts'
import { registerPasswords } from './features/accounts/password-routes.ts'
import { registerAccounts } from './features/accounts/routes.ts'
import { registerSessions } from './features/accounts/session-routes.ts'
import { registerBlocks } from './features/blocks/routes.ts'
import { registerCollecting } from './features/bookmarks/collecting-routes.ts'
import { registerEmbedPage } from './features/bookmarks/embed-page.ts'
import { bookmarksQueues } from './features/bookmarks/jobs.ts'
import { registerOwnBookmarks } from './features/bookmarks/own-routes.ts'
import { registerBookmarks } from './features/bookmarks/routes.ts'
import { collectionsQueues } from './features/collections/access.ts'
import { registerCollections } from './features/collections/routes.ts'
import { registerComments } from './features/comments/routes.ts'
import { registerExtraction } from './features/extraction/routes.ts'
import { registerFollows } from './features/follows/routes.ts'
import { registerIdentities } from './features/identities/routes.ts'
import { registerLikes } from './features/likes/routes.ts'
import { listingQueues } from './features/listing/jobs.ts'
import { registerListing } from './features/listing/routes.ts'
import { moderationQueues } from './features/moderation/jobs.ts'
import { registerRecord, registerSanctions } from './features/moderation/people-routes.ts'
import { registerReports } from './features/moderation/report-routes.ts'
import { registerModeration } from './features/moderation/routes.ts'
import { registerMutes } from './features/mutes/routes.ts'
import { notificationsQueues } from './features/notifications/jobs.ts'
import { registerNotifications } from './features/notifications/routes.ts'
import { registerUnsubscribe } from './features/notifications/unsubscribe.ts'
import { registerPasskeys } from './features/passkeys/routes.ts'
import { registerProfiles } from './features/profiles/routes.ts'
import { registerScreening } from './features/screening/routes.ts'
import { registerSecondFactor } from './features/second-factor/routes.ts'
import { tagsQueues } from './features/tags/jobs.ts'
import { registerTags } from './features/tags/routes.ts'
import { transferQueues } from './features/transfer/jobs.ts'
import { registerExports, registerImports } from './features/transfer/routes.ts'

export interface Deps {
  settings: Settings
  log: Log
  /** Where everything is written and what must be current is read. */
  db: Sql
  /** A replica for lists and pages, or the same as `db`. */
  readDb: Sql
  outbound: Outbound
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

/** Every queue of background work, for the process that does it. */
// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function queuesOf(deps: Deps): JobQueue<any>[] {
  return [
    mailQueue(deps),
    ...accountsQueues(deps),
    ...bookmarksQueues(deps),
    ...collectionsQueues(deps.db),
    ...listingQueues(deps.db),
    ...moderationQueues(deps),
    ...notificationsQueues(deps),
    ...tagsQueues(deps.db),
    ...transferQueues(deps),
  ]
}

/** Builds the server, not yet listening. Closing it does not close what was passed in. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { settings } = deps
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    genReqId: () => randomUUID(),
    trustProxy: settings.trustProxy,
    bodyLimit: 256 * 1024,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // Slow clients do not hold a connection for ever; all but one request are small, and that one may be of 128 MB.
    requestTimeout: 120_000,
    forceCloseConnections: 'idle',
    // An address that cannot be decoded leads nowhere, and is told so like any other: a person by a page.
    frameworkErrors: (_error, request, reply) => {
      reply.headers(bareHeaders)
      return request.url.startsWith('/api/') ? answerNotFound(request, reply) : answerNoPage(reply)
    },
  })
  app.decorate('deps', deps)

  registerErrors(app)
  registerValidation(app)
  registerSecurityHeaders(app, {
    https: settings.publicUrl.startsWith('https:'),
    development: settings.mode === 'development',
  })
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    // One step above what is usual: a twelfth off each page, for a quarter of a millisecond outside the main thread.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
  })
  await app.register(cookie)
  await registerApiDocs(app)
  registerHealth(app)
  registerAccounts(app)
  registerPasswords(app)
  registerSessions(app)
  registerSecondFactor(app)
  registerAccountSettings(app)
  registerEmailChange(app)
  registerPasskeys(app)
  registerAccessTokens(app)
  registerIdentities(app)
  registerProfiles(app)
  registerBookmarks(app)
  registerOwnBookmarks(app)
  registerCollecting(app)
  registerEmbedPage(app)
  await registerMedia(app)
  registerListing(app)
  registerCollections(app)
  registerTags(app)
  registerComments(app)
  registerLikes(app)
  registerFollows(app)
  registerBlocks(app)
  registerMutes(app)
  registerNotifications(app)
  registerUnsubscribe(app)
  registerExports(app)
  registerImports(app)
  registerExtraction(app)
  registerReports(app)
  registerModeration(app)
  registerSanctions(app)
  registerRecord(app)
  registerScreening(app)

  app.all('/api/*', answerNotFound)
  // Last: the pages' route takes whatever is left. HTTP tests run without a built web; the journeys have it.
  if (settings.mode !== 'test') await registerPages(app, { ...settings, mode: settings.mode })
  return app
}
