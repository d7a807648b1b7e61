import {
  countUnread,
  listNotifications,
  markNotificationsRead,
  streamNotifications,
} from '@reelmark/contract/notifications.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/http/endpoints.ts'
import { InvalidFields } from '../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../core/http/paging.ts'
import { listNotifications as readNotifications } from './list-queries.ts'
import { publishUnreadChange } from './notify.ts'
import * as queries from './queries.ts'
import { createUnreadStreams, type StreamOptions } from './unread-streams.ts'

export function registerNotifications(app: FastifyInstance, options: StreamOptions = {}): void {
  // Reads from the primary: on a replica, notifications that were just marked as read could still be unread.
  const { db, log, visitorCache } = app.deps

  mount(
    app,
    listNotifications,
    async ({ input, viewer }) => {
      const { count, results } = await readNotifications(db, viewer, {
        ...offsetOf(input.query),
        group: input.query.group,
      })
      return pageReply(listNotifications, input, count, results)
    },
    { cachePerViewer: () => true, personalize: {}, lifetimeMs: 5000 },
  )

  mount(app, countUnread, async ({ viewer }) => ({ count: await queries.countUnread(db, viewer.id) }))

  mount(
    app,
    markNotificationsRead,
    async ({ input: { body }, viewer }) => {
      if ((body.ids === undefined) === (body.all === undefined)) {
        throw new InvalidFields({ non_field_errors: ['Name either `ids` or `all`.'] })
      }
      await queries.markNotificationsRead(db, viewer.id, body.ids ?? null, parseTime(body.until))
      // Updates the user's other tabs.
      await publishUnreadChange(db, viewer.id)
      return { count: await queries.countUnread(db, viewer.id) }
    },
    // What visitors see stays the same.
    { limit: 'mark-notifications-read', changes: () => [] },
  )

  // A client that reads its list when the count changes must not get the list from before.
  const streams = createUnreadStreams(db, log, { ...options, onEvent: () => visitorCache.drop([]) })
  // Runs before the server waits for open connections to end.
  app.addHook('preClose', async () => streams.close())
  mount(
    app,
    streamNotifications,
    async ({ viewer, reply }) => {
      const stream = await streams.open(viewer)
      // Tells buffering proxies (nginx) to pass events on immediately.
      reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
      return stream
    },
    { limit: 'open-notification-stream' },
  )
}

/**
 * Parses a date-time.
 * @throws InvalidFields for values that match the schema but do not exist, such as a 60th second
 */
function parseTime(text: string | undefined): Date | null {
  if (text === undefined) return null
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new InvalidFields({ until: ['Enter a valid date-time.'] })
  // PostgreSQL has no year 0, and there were no notifications before 1970.
  return new Date(Math.max(0, time))
}
