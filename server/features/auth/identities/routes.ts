/** Signing in through another site, and linking it to an account, over HTTP. */
import {
  addIdentity,
  beginLinkingIdentity,
  beginOidcLogin,
  deleteIdentity,
  getSignInMethods,
  listIdentities,
  logInWithOidc,
  registerWithOidc,
} from '@reelmark/contract/identities.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { newOpaqueToken } from '../../../core/auth/hash-token.ts'
import { consumeTicket, createTicket, readTicket } from '../../../core/auth/one-time-tickets.ts'
import { type RequestContext, signIn } from '../../../core/auth/sign-in.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { currentRules, reportHeldUser, screenContent, usernamePart } from '../../moderation/public-api.ts'
import {
  createUserWithoutPassword,
  hasSignInMethod,
  isEmailTaken,
  lockUser,
  mailSecurityChange,
} from '../accounts/sign-in-methods.ts'
import { type OidcClient, openOidcClient } from './oidc-client.ts'
import * as queries from './queries.ts'
import { hashBrowserCookie, isSameBrowser, type OidcIdentity, suggestUsernames } from './rules.ts'

type Purpose = 'oidc-login' | 'oidc-link'

/** What a ticket of somebody who went away keeps; the ticket itself is the `state`. */
type PendingRedirect = {
  nonce: string
  verifier: string
  /** Of the cookie of the browser that went. */
  browser: string
}

/** What the ticket of somebody who may register keeps. */
type PendingRegistration = { issuer: string; subject: string; email: string; remember: boolean }

interface CallbackQuery {
  state: string
  code?: string
  iss?: string
  error?: string
}

const cookie = 'oidc'

export function registerIdentities(app: FastifyInstance): void {
  const { db, settings } = app.deps
  const opened = openOidcClient(settings, app.log)
  app.addHook('onClose', async () => opened?.close())
  const cookieOptions = {
    httpOnly: true,
    sameSite: 'lax',
    secure: settings.publicUrl.startsWith('https:'),
    path: '/api/',
  } as const

  function provider(): OidcClient {
    if (opened === null) throw new ApiError('not-found')
    return opened
  }

  async function beginRedirect(reply: FastifyReply, purpose: Purpose, user_id: number | null) {
    const site = provider()
    await site.ready()
    const [nonce, verifier, browser] = [newOpaqueToken(), newOpaqueToken(), newOpaqueToken()]
    const data = { nonce, verifier, browser: hashBrowserCookie(browser) } satisfies PendingRedirect
    const state = await createTicket(db, purpose, { user_id, data })
    reply.setCookie(cookie, browser, { ...cookieOptions, maxAge: limits.ticketSeconds })
    return { url: await site.authorizationUrl({ state, nonce, verifier }) }
  }

  /**
   * Who came back, to the browser that they left from, for what they went away for.
   * @throws ApiError('sign-in-refused'), ApiError('unavailable')
   */
  async function completeRedirect(
    { request, reply }: RequestContext,
    { state, code, iss, error }: CallbackQuery,
    purpose: Purpose,
    userId: number | null,
  ) {
    const site = provider()
    await site.ready()
    const away = await readTicket<PendingRedirect>(db, purpose, state)
    // Looked at before it is taken: whoever got hold of a state must not spoil it for its owner.
    const isTheirs = away?.user_id === userId && isSameBrowser(away.data.browser, request.cookies[cookie])
    if (away === null || !isTheirs || (await consumeTicket(db, purpose, state)) === null) {
      throw new ApiError('sign-in-refused')
    }
    reply.clearCookie(cookie, cookieOptions)
    if (code === undefined || error !== undefined) throw new ApiError('sign-in-refused')
    return site.identify({ state, code, ...(iss !== undefined && { iss }) }, { state, ...away.data })
  }

  mount(app, getSignInMethods, async () => ({ oidc: opened && { name: opened.name } }))

  mount(app, beginOidcLogin, ({ reply }) => beginRedirect(reply, 'oidc-login', null), {
    limit: 'begin-oidc-login',
  })

  mount(
    app,
    logInWithOidc,
    async ({ input: { body }, request, reply }) => {
      const { remember = true, ...returned } = body
      const http = { request, reply }
      const who = await completeRedirect(http, returned, 'oidc-login', null)
      const known = await queries.findIdentity(db, who)
      if (known === null || !(await queries.recordIdentityUse(db, known.id))) {
        throw await welcome(await who.profile(), remember)
      }
      const user = { id: known.user_id, username: known.username }
      const signedIn = known.is_banned ? null : await signIn(db, http, user, { remember })
      if (signedIn === null) throw new ApiError('banned')
      return signedIn
    },
    { limit: 'oidc-login' },
  )

  /** What to tell somebody who is linked to no account. An e-mail alone links nobody (docs/decisions/0009-signing-in-through-another-site.md). */
  async function welcome(
    { issuer, subject, email, names }: OidcIdentity,
    remember: boolean,
  ): Promise<ApiError> {
    if (email === null) {
      const detail = `${provider().name} didn't share your email address, which is required to create an account.`
      return new ApiError('sign-in-refused', { detail })
    }
    if (await isEmailTaken(db, email)) return new ApiError('email-taken')
    const suggested_username = (await queries.firstAvailableUsername(db, suggestUsernames(names))) ?? ''
    const data = { issuer, subject, email, remember } satisfies PendingRegistration
    const ticket = await createTicket(db, 'oidc-register', { data })
    return new ApiError('username-required', { ticket, suggested_username, email })
  }

  mount(
    app,
    registerWithOidc,
    async ({ input: { body }, request, reply }) => {
      const held = screenContent(await currentRules(db), [usernamePart(body.username)])
      const { remember, ...user } = await db.begin(async (tx) => {
        // Given back with the transaction where the username is taken: they choose another.
        const ticket = await consumeTicket<PendingRegistration>(tx, 'oidc-register', body.ticket)
        if (ticket === null) throw new ApiError('ticket-expired')
        const { remember, ...who } = ticket.data
        const created = await createUserWithoutPassword(tx, { username: body.username, email: who.email })
        if ((await queries.addIdentity(tx, { ...who, user_id: created.id })) === null) {
          throw new ApiError('identity-taken')
        }
        if (held !== null) await reportHeldUser(tx, created.id, `The username. ${held}`)
        return { ...created, remember }
      })
      const signedIn = await signIn(db, { request, reply }, user, { remember })
      // Banned as soon as they were there.
      if (signedIn === null) throw new ApiError('ticket-expired')
      return signedIn
    },
    { limit: 'register' },
  )

  mount(app, listIdentities, async ({ input, viewer }) => {
    const { count, rows } = await queries.listIdentities(db, viewer.id, offsetOf(input.query))
    return pageReply(listIdentities, input, count, rows)
  })

  mount(app, beginLinkingIdentity, ({ reply, viewer }) => beginRedirect(reply, 'oidc-link', viewer.id), {
    limit: 'begin-oidc-link',
  })

  mount(
    app,
    addIdentity,
    async ({ input: { body }, viewer, request, reply }) => {
      const who = await completeRedirect({ request, reply }, body, 'oidc-link', viewer.id)
      const { issuer, subject, email } = await who.profile()
      return db.begin(async (tx) => {
        const identity = await queries.addIdentity(tx, { issuer, subject, email, user_id: viewer.id })
        if (identity === null) throw new ApiError('identity-taken')
        await mailSecurityChange(tx, app.deps, viewer.id, 'identity added', identity.issuer)
        return identity
      })
    },
    { limit: 'oidc-link' },
  )

  mount(app, deleteIdentity, async ({ input: { params }, viewer }) => {
    await db.begin(async (tx) => {
      await lockUser(tx, viewer.id)
      const host = await queries.deleteIdentity(tx, { ...params, user_id: viewer.id })
      if (host === null) throw new ApiError('not-found')
      if (!(await hasSignInMethod(tx, app.deps, viewer.id))) throw new ApiError('last-sign-in-method')
      await mailSecurityChange(tx, app.deps, viewer.id, 'identity removed', host)
    })
    return null
  })
}
