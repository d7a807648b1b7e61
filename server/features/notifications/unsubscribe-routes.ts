/**
 * The link at the foot of a mail, and what mail programs do for their own 'Unsubscribe' button (RFC 8058): a POST to the
 * same address, with a form's body, without a word from the person's browser.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { unsubscribe } from '@reelmark/contract/notifications.ts'
import type { FastifyInstance } from 'fastify'
import type { ServerKeys } from '../../core/auth/server-keys.ts'
import type { Db } from '../../core/database/database.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError } from '../../core/http/errors.ts'
import { consumeRequestToken } from '../../core/http/rate-limits.ts'
import { unsubscribeFromDigests } from './digest-queries.ts'

/** Works for good, and for this alone: `12.q3f…`. */
export function unsubscribeToken(key: KeyObject, userId: number): string {
  return `${userId}.${createHmac('sha256', key).update(`unsubscribe ${userId}`).digest('base64url')}`
}

/** Whose mails a token is of; null where it is none of ours. */
export function readUnsubscribeToken(key: KeyObject, token: string): number | null {
  const id = /^([1-9]\d{0,15})\.[\w-]{43}$/.exec(token)?.[1]
  if (id === undefined) return null
  const [given, ours] = [Buffer.from(token), Buffer.from(unsubscribeToken(key, Number(id)))]
  return given.length === ours.length && timingSafeEqual(given, ours) ? Number(id) : null
}

export function registerUnsubscribe(app: FastifyInstance): void {
  const { db, serverKeys, settings } = app.deps
  mount(
    app,
    unsubscribe,
    async ({ input }) => {
      await unsubscribeByToken(db, serverKeys, input.body.token)
      return { detail: "You're unsubscribed from notification emails." }
    },
    { limit: 'unsubscribe' },
  )
  // The page of this address is the web's; this is the same address for mail programs. Their bodies say nothing.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 16 * 1024 }, (_request, _body, done) =>
      done(null),
    )
    scope.post<{ Params: { token: string } }>(
      '/unsubscribe/:token',
      { schema: { hide: true } },
      async (request, reply) => {
        await consumeRequestToken(db, 'unsubscribe', request, null, settings.rateLimitScale)
        await unsubscribeByToken(db, serverKeys, request.params.token)
        return reply.code(200).header('cache-control', 'no-store').send()
      },
    )
  })
}

/** @throws ApiError('invalid-email-link') */
async function unsubscribeByToken(db: Db, keys: ServerKeys, token: string): Promise<void> {
  const userId = readUnsubscribeToken(keys.unsubscribe, token)
  if (userId === null) throw new ApiError('invalid-email-link')
  await unsubscribeFromDigests(db, userId)
}
