/**
 * Unsubscribing from digests through the link in the mail, and through the 'Unsubscribe' button of mail programs
 * (RFC 8058): they POST a form to the same address without opening a browser.
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

/** Creates the token of an unsubscribe link: user id and MAC, `12.q3f…`. It does not expire and allows nothing else. */
export function unsubscribeToken(key: KeyObject, userId: number): string {
  return `${userId}.${createHmac('sha256', key).update(`unsubscribe ${userId}`).digest('base64url')}`
}

/** Returns the user id of an unsubscribe token, or null if the token is invalid. */
function readUnsubscribeToken(key: KeyObject, token: string): number | null {
  const id = /^([1-9]\d{0,15})\.[\w-]{43}$/.exec(token)?.[1]
  if (id === undefined) return null
  const [received, expected] = [Buffer.from(token), Buffer.from(unsubscribeToken(key, Number(id)))]
  return received.length === expected.length && timingSafeEqual(received, expected) ? Number(id) : null
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
  // The web serves GET of this path; mail programs POST to it. The request body is ignored.
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

/** Turns off the digests of the token's user. @throws ApiError('invalid-email-link') if the token is invalid */
async function unsubscribeByToken(db: Db, keys: ServerKeys, token: string): Promise<void> {
  const userId = readUnsubscribeToken(keys.unsubscribe, token)
  if (userId === null) throw new ApiError('invalid-email-link')
  await unsubscribeFromDigests(db, userId)
}
