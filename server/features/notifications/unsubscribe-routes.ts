/**
 * Unsubscribing from digests through the link in the mail, and through the 'Unsubscribe' button of mail programs
 * (RFC 8058): they POST a form to the same address without opening a browser.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { unsubscribe } from '@reelmark/contract/notifications.ts'
import { type SwitchableKind, switchableKinds } from '@reelmark/contract/profiles.ts'
import type { FastifyInstance } from 'fastify'
import type { ServerKeys } from '../../core/auth/server-keys.ts'
import type { Db } from '../../core/database/database.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError } from '../../core/http/errors.ts'
import { consumeRequestToken } from '../../core/http/rate-limits.ts'
import { unsubscribeFromDigests } from './digest-queries.ts'

/** What an unsubscribe link turns off: the digests of a user, or one kind of notifications in them. */
interface Unsubscription {
  userId: number
  /** Null: all digests. */
  kind: SwitchableKind | null
}

/**
 * Creates the token of an unsubscribe link: user id, kind if it is about one, and MAC, `12.q3f…` or `12.reply.q3f…`. It does
 * not expire and allows nothing else.
 */
export function unsubscribeToken(key: KeyObject, { userId, kind }: Unsubscription): string {
  const subject = kind === null ? String(userId) : `${userId}.${kind}`
  return `${subject}.${createHmac('sha256', key).update(`unsubscribe ${subject}`).digest('base64url')}`
}

/** Returns what an unsubscribe token turns off, or null if the token is invalid. */
function readUnsubscribeToken(key: KeyObject, token: string): Unsubscription | null {
  const [, id, name] = /^([1-9]\d{0,15})(?:\.([a-z_]{1,40}))?\.[\w-]{43}$/.exec(token) ?? []
  const kind = switchableKinds.find((known) => known === name) ?? null
  if (id === undefined || (name !== undefined && kind === null)) return null
  const unsubscription = { userId: Number(id), kind }
  const [received, expected] = [Buffer.from(token), Buffer.from(unsubscribeToken(key, unsubscription))]
  return received.length === expected.length && timingSafeEqual(received, expected) ? unsubscription : null
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

/** Turns off what the token is about. @throws ApiError('invalid-email-link') if the token is invalid */
async function unsubscribeByToken(db: Db, keys: ServerKeys, token: string): Promise<void> {
  const unsubscription = readUnsubscribeToken(keys.unsubscribe, token)
  if (unsubscription === null) throw new ApiError('invalid-email-link')
  await unsubscribeFromDigests(db, unsubscription.userId, unsubscription.kind)
}
