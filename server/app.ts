/** Assembles the server from its parts. Tests use it directly; worker.ts runs it in a process. */
import './core/limit-json-nesting.ts'
import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { registerMarks } from './core/auth/video-marks.ts'
import type { JobQueue } from './core/database/jobs.ts'
import type { Deps } from './core/deps.ts'
import { registerApiDocs } from './core/http/api-docs.ts'
import { announceJobChanges } from './core/http/cache-changes.ts'
import {
  brotliParams,
  encodings,
  minCompressedSize,
  registerCachedReplies,
} from './core/http/cached-replies.ts'
import { registerCrossOrigin } from './core/http/cross-origin.ts'
import { registerErrors, sendNotFound } from './core/http/errors.ts'
import { registerHealth } from './core/http/health.ts'
import { registerRateLimits } from './core/http/rate-limits.ts'
import { createClientErrorHandler, registerRequestChecks } from './core/http/request-checks.ts'
import { apiHeaders, registerSecurityHeaders } from './core/http/security-headers.ts'
import { registerSerialization } from './core/http/serialization.ts'
import { registerSsr, sendNotFoundPage } from './core/http/ssr.ts'
import { registerValidation } from './core/http/validation.ts'
import { mailQueue } from './core/mail/mail-queue.ts'
import { pictureQueues } from './core/media/picture-deletion.ts'
import { registerMediaRoutes } from './core/media/routes.ts'
import { createRequestLog } from './core/request-log.ts'
import { registerSecurityLog } from './core/security-log.ts'
import { registerAccessTokens } from './features/auth/access-tokens/routes.ts'
import { registerAccountSettings } from './features/auth/accounts/account-settings-routes.ts'
import { registerUsernameChange } from './features/auth/accounts/change-username.ts'
import { accountQueues } from './features/auth/accounts/jobs.ts'
import { registerOwnerSetup } from './features/auth/accounts/owner-setup.ts'
import { registerAccounts } from './features/auth/accounts/routes.ts'
import { registerConnections } from './features/auth/connections/routes.ts'
import { registerEmailConfirmation } from './features/auth/email-confirmation/routes.ts'
import { registerIdentities } from './features/auth/identities/routes.ts'
import { registerPasskeys } from './features/auth/passkeys/routes.ts'
import { registerPasswords } from './features/auth/passwords/routes.ts'
import { registerSecondFactor } from './features/auth/second-factor/routes.ts'
import { registerSessions } from './features/auth/sessions/routes.ts'
import { registerSignInReview } from './features/auth/sign-in-review/routes.ts'
import { registerBulkUpdates } from './features/bookmarks/bulk/routes.ts'
import { registerCollect } from './features/bookmarks/collect/routes.ts'
import { bookmarkQueues } from './features/bookmarks/jobs.ts'
import { registerCollectionLinks } from './features/bookmarks/links/routes.ts'
import { registerNotes } from './features/bookmarks/notes/routes.ts'
import { registerBookmarkOrder } from './features/bookmarks/order/routes.ts'
import { registerEmbedPage } from './features/bookmarks/player/embed-page.ts'
import { registerBookmarks } from './features/bookmarks/save/routes.ts'
import { registerTags } from './features/bookmarks/tags/routes.ts'
import { registerTrash } from './features/bookmarks/trash/routes.ts'
import { registerBookmarkUpdates } from './features/bookmarks/update/routes.ts'
import { collectionsQueues } from './features/collections/jobs.ts'
import { registerCollections } from './features/collections/routes.ts'
import { registerComments } from './features/comments/routes.ts'
import { registerDiscovery } from './features/listing/discovery/routes.ts'
import { registerFeeds } from './features/listing/feeds/routes.ts'
import { registerHistory } from './features/listing/history.ts'
import { registerHome } from './features/listing/home.ts'
import { listingQueues } from './features/listing/jobs.ts'
import { registerOtherSources } from './features/listing/other-sources.ts'
import { registerListing } from './features/listing/routes.ts'
import { registerSmartCollections } from './features/listing/smart-collections/routes.ts'
import { registerSuggestions } from './features/listing/suggestions/routes.ts'
import { registerTrashList } from './features/listing/trash.ts'
import { registerAppeals } from './features/moderation/appeals/routes.ts'
import { registerAuditLog } from './features/moderation/audit/routes.ts'
import { registerCases } from './features/moderation/cases/routes.ts'
import { registerContentRules } from './features/moderation/content-rules/routes.ts'
import { registerDecisions } from './features/moderation/decisions/routes.ts'
import { moderationQueues } from './features/moderation/jobs.ts'
import { registerReports } from './features/moderation/reports/routes.ts'
import { registerSanctions } from './features/moderation/sanctions/routes.ts'
import { notificationQueues } from './features/notifications/jobs.ts'
import { registerNotifications } from './features/notifications/routes.ts'
import { registerUnsubscribe } from './features/notifications/unsubscribe-routes.ts'
import { webhookQueues } from './features/notifications/webhooks/jobs.ts'
import { registerWebhooks } from './features/notifications/webhooks/routes.ts'
import { registerExports } from './features/transfer/export-routes.ts'
import { registerImports } from './features/transfer/import-routes.ts'
import { transferQueues } from './features/transfer/jobs.ts'
import { checkSubscriptionsQueue } from './features/transfer/subscriptions/check-subscriptions.ts'
import { registerSubscriptions } from './features/transfer/subscriptions/routes.ts'
import { registerUploads } from './features/transfer/uploads/routes.ts'
import { registerBlocks } from './features/users/blocks/routes.ts'
import { registerFollowedLists } from './features/users/followed-lists/routes.ts'
import { registerFollows } from './features/users/follows/routes.ts'
import { registerMutes } from './features/users/mutes/routes.ts'
import { registerPins } from './features/users/pins/routes.ts'
import { profileQueues } from './features/users/profiles/jobs.ts'
import { registerProfiles } from './features/users/profiles/routes.ts'
import { fillInMetadataQueue } from './features/videos/extraction/fill-in-metadata.ts'
import { registerExtraction } from './features/videos/extraction/routes.ts'
import { healthQueues } from './features/videos/health/jobs.ts'
import { registerVideoHealth } from './features/videos/health/routes.ts'
import { registerLikes } from './features/videos/likes/routes.ts'
import { registerReplaceLink } from './features/videos/replace-link/routes.ts'
import { registerWatched } from './features/videos/watching/routes.ts'
import { registerViewedVideos } from './shared/viewed-videos.ts'
import { markQueries } from './shared/viewer-marks.ts'

/** Returns all job queues, for the processes that run jobs. */
// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function createJobQueues(deps: Deps): JobQueue<any>[] {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const queues: JobQueue<any>[] = [
    mailQueue(deps),
    ...pictureQueues(deps),
    ...accountQueues(deps),
    ...bookmarkQueues(deps),
    ...collectionsQueues(deps.db),
    ...listingQueues(deps),
    ...moderationQueues(deps),
    ...notificationQueues(deps),
    ...profileQueues(deps.db),
    ...transferQueues(deps),
    ...healthQueues(deps),
    ...webhookQueues(deps),
    fillInMetadataQueue(deps),
    checkSubscriptionsQueue(deps),
  ]
  return queues.map((queue) => announceJobChanges(deps, queue))
}

/** Builds the server without listening. Closing it does not close the passed dependencies. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { settings } = deps
  const https = settings.publicUrl.startsWith('https:')
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    childLoggerFactory: createRequestLog,
    genReqId: () => randomUUID(),
    trustProxy: settings.trustProxy,
    bodyLimit: 256 * 1024,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // Limits how long slow clients hold a connection. The longest request is an import of 128 MB.
    requestTimeout: 120_000,
    forceCloseConnections: 'idle',
    // Checked in request-checks.ts, so that the response has the security headers.
    http: { requireHostHeader: false },
    clientErrorHandler: createClientErrorHandler({ https }),
    // Responds to a URL that cannot be decoded like to any other unknown one: with JSON or with a page.
    frameworkErrors: (_error, request, reply) => {
      reply.headers(apiHeaders(https))
      return request.url.startsWith('/api/') ? sendNotFound(request, reply) : sendNotFoundPage(reply)
    },
  })
  app.decorate('deps', deps)

  registerCachedReplies(app, { https })
  registerSecurityLog(app)
  registerErrors(app)
  registerValidation(app)
  registerSerialization(app)
  registerSecurityHeaders(app, {
    https,
    development: settings.mode === 'development',
  })
  registerCrossOrigin(app)
  registerRequestChecks(app)
  registerRateLimits(app)
  await app.register(compress, {
    encodings,
    threshold: minCompressedSize,
    brotliOptions: { params: brotliParams },
  })
  await app.register(cookie)
  await registerApiDocs(app)
  registerHealth(app)
  registerMarks(app, markQueries)
  registerViewedVideos(app)
  registerAccounts(app)
  registerOwnerSetup(app)
  registerPasswords(app)
  registerSessions(app)
  registerSecondFactor(app)
  registerAccountSettings(app)
  registerUsernameChange(app)
  registerEmailConfirmation(app)
  registerSignInReview(app)
  registerPasskeys(app)
  registerAccessTokens(app)
  registerConnections(app)
  registerIdentities(app)
  registerProfiles(app)
  registerPins(app)
  registerBookmarks(app)
  registerBookmarkUpdates(app)
  registerNotes(app)
  registerBulkUpdates(app)
  registerTrash(app)
  registerBookmarkOrder(app)
  registerCollect(app)
  registerCollectionLinks(app)
  registerEmbedPage(app)
  await registerMediaRoutes(app)
  registerListing(app)
  registerOtherSources(app)
  registerFeeds(app)
  registerDiscovery(app)
  registerHistory(app)
  registerHome(app)
  registerSmartCollections(app)
  registerTrashList(app)
  registerSuggestions(app)
  registerCollections(app)
  registerTags(app)
  registerComments(app)
  registerLikes(app)
  registerVideoHealth(app)
  registerReplaceLink(app)
  registerWatched(app)
  registerFollows(app)
  registerFollowedLists(app)
  registerBlocks(app)
  registerMutes(app)
  registerNotifications(app)
  registerUnsubscribe(app)
  registerWebhooks(app)
  registerExports(app)
  registerImports(app)
  registerUploads(app)
  registerSubscriptions(app)
  registerExtraction(app)
  registerReports(app)
  registerCases(app)
  registerDecisions(app)
  registerAppeals(app)
  registerSanctions(app)
  registerAuditLog(app)
  registerContentRules(app)

  // OPTIONS is answered by cross-origin.ts.
  const otherMethods = app.supportedMethods.filter((method) => method !== 'OPTIONS')
  app.route({ method: otherMethods, url: '/api/*', handler: sendNotFound })
  // Last, because its route matches every path. HTTP tests run without the web; end-to-end tests include it.
  if (settings.mode !== 'test') await registerSsr(app, { ...settings, mode: settings.mode })
  return app
}
