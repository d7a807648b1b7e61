/** Routes for signing in with the identity provider and for linking identities to an account. */
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
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { clearSiteCookie, readSiteCookie, setSiteCookie } from '../../../core/http/site-cookies.ts'
import { noteSecurityContext } from '../../../core/security-log.ts'
import { currentRules, reportHeldUser, screenContent, usernamePart } from '../../moderation/public-api.ts'
import { canChooseUsername, usernameUnavailableText } from '../accounts/reserved-usernames.ts'
import {
  createUserWithoutPassword,
  hasSignInMethod,
  isEmailTaken,
  lockUser,
  mailSecurityChange,
} from '../accounts/sign-in-methods.ts'
import { requireSecondFactor } from '../second-factor/second-factor-login.ts'
import { type OidcClient, openOidcClient } from './oidc-client.ts'
import * as queries from './queries.ts'
import { hashBrowserCookie, isSameBrowser, type OidcIdentity, suggestUsernames } from './rules.ts'

type Purpose = 'oidc-login' | 'oidc-link'

/** Data of the ticket of a redirect to the provider; the ticket itself is the `state`. */
type PendingRedirect = {
  nonce: string
  verifier: string
  /** Hash of the cookie of the browser that was redirected. */
  browser: string
}

/** Data of the ticket with which a new user can register. */
type PendingRegistration = {
  issuer: string
  subject: string
  email: string
  is_email_verified: boolean
  remember: boolean
}

interface CallbackQuery {
  state: string
  code?: string
  iss?: string
  error?: string
}

export function registerIdentities(app: FastifyInstance): void {
  const { db, settings } = app.deps
  const oidcClient = openOidcClient(settings, app.log)
  app.addHook('onClose', async () => oidcClient?.close())

  function requireClient(): OidcClient {
    if (oidcClient === null) throw new ApiError('not-found')
    return oidcClient
  }

  async function beginRedirect(reply: FastifyReply, purpose: Purpose, user_id: number | null) {
    const client = requireClient()
    await client.ready()
    const [nonce, verifier, browser] = [newOpaqueToken(), newOpaqueToken(), newOpaqueToken()]
    const data = { nonce, verifier, browser: hashBrowserCookie(browser) } satisfies PendingRedirect
    const state = await createTicket(db, purpose, { user_id, data })
    setSiteCookie(reply, 'oidc', browser, limits.ticketSeconds)
    return { url: await client.authorizationUrl({ state, nonce, verifier }) }
  }

  /**
   * Returns the identity of a user who was redirected back, in the same browser and for the same purpose.
   * @throws ApiError('sign-in-refused'), ApiError('unavailable')
   */
  async function completeRedirect(
    { request, reply }: RequestContext,
    { state, code, iss, error }: CallbackQuery,
    purpose: Purpose,
    userId: number | null,
  ) {
    const client = requireClient()
    await client.ready()
    const pending = await readTicket<PendingRedirect>(db, purpose, state)
    // Checked before consuming the ticket, so that knowing a state is not enough to make it invalid.
    const isSameRedirect =
      pending?.user_id === userId && isSameBrowser(pending.data.browser, readSiteCookie(request, 'oidc'))
    if (pending === null || !isSameRedirect || (await consumeTicket(db, purpose, state)) === null) {
      throw new ApiError('sign-in-refused')
    }
    clearSiteCookie(reply, 'oidc')
    if (code === undefined || error !== undefined) throw new ApiError('sign-in-refused')
    return client.identify({ state, code, ...(iss !== undefined && { iss }) }, { state, ...pending.data })
  }

  mount(app, getSignInMethods, async () => ({ oidc: oidcClient && { name: oidcClient.name } }))

  mount(app, beginOidcLogin, ({ reply }) => beginRedirect(reply, 'oidc-login', null), {
    limit: 'begin-oidc-login',
  })

  mount(
    app,
    logInWithOidc,
    async ({ input: { body }, request, reply }) => {
      const { remember = true, ...returned } = body
      const context = { request, reply }
      const identity = await completeRedirect(context, returned, 'oidc-login', null)
      const account = await queries.findIdentity(db, identity)
      if (account === null || !(await queries.recordIdentityUse(db, account.id))) {
        throw await registrationError(await identity.profile(), remember)
      }
      const user = { id: account.user_id, username: account.username }
      noteSecurityContext(request, { target_id: user.id })
      if (account.is_banned) throw new ApiError('banned')
      // The provider's own factors do not replace the one that this site requires of moderators.
      if (account.is_moderator && settings.moderatorSecondFactor)
        await requireSecondFactor(db, { ...user, password_hash: account.password_hash }, { remember })
      const signedIn = await signIn(db, context, user, { remember })
      // The account was banned since it was read.
      if (signedIn === null) throw new ApiError('banned')
      return signedIn
    },
    { limit: 'oidc-login' },
  )

  /**
   * Returns the error for an identity that is linked to no account: how to register, or why it is not possible. An
   * equal e-mail address is not enough to link (docs/decisions/0009-signing-in-through-another-site.md).
   */
  async function registrationError(
    { issuer, subject, email, is_email_verified, names }: OidcIdentity,
    remember: boolean,
  ): Promise<ApiError> {
    if (email === null) {
      const detail = `${requireClient().name} didn't share your email address, which is required to create an account.`
      return new ApiError('sign-in-refused', { detail })
    }
    // Only to users who have proven that the address is theirs.
    if (is_email_verified && (await isEmailTaken(db, email))) return new ApiError('email-taken')
    const suggested_username = (await queries.findAvailableUsername(db, suggestUsernames(names))) ?? ''
    const data = { issuer, subject, email, is_email_verified, remember } satisfies PendingRegistration
    const ticket = await createTicket(db, 'oidc-register', { data })
    return new ApiError('username-required', { ticket, suggested_username, email })
  }

  mount(
    app,
    registerWithOidc,
    async ({ input: { body }, request, reply }) => {
      if (!(await canChooseUsername(db, body.username)))
        throw new InvalidFields({ username: [usernameUnavailableText] })
      const holdReason = screenContent(await currentRules(db), [usernamePart(body.username)])
      const { remember, ...user } = await db.begin(async (tx) => {
        // If the username is taken, the rollback makes the ticket valid again for another attempt.
        const ticket = await consumeTicket<PendingRegistration>(tx, 'oidc-register', body.ticket)
        if (ticket === null) throw new ApiError('ticket-expired')
        const { remember, is_email_verified, ...identity } = ticket.data
        const created = await createUserWithoutPassword(tx, app.deps, {
          username: body.username,
          email: identity.email,
          is_email_confirmed: is_email_verified,
        })
        if ((await queries.addIdentity(tx, { ...identity, user_id: created.id })) === null) {
          throw new ApiError('identity-taken')
        }
        if (holdReason !== null) await reportHeldUser(tx, created.id, `The username. ${holdReason}`)
        return { ...created, remember }
      })
      const signedIn = await signIn(db, { request, reply }, user, { remember })
      // The account was banned immediately after it was created.
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
      const identity = await completeRedirect({ request, reply }, body, 'oidc-link', viewer.id)
      const { issuer, subject, email } = await identity.profile()
      return db.begin(async (tx) => {
        await lockUser(tx, viewer)
        // Bounds the list of a sign-in review, which shows all of them.
        if ((await queries.countIdentities(tx, viewer.id)) >= limits.identitiesMax)
          throw new ApiError('limit-reached')
        const linked = await queries.addIdentity(tx, { issuer, subject, email, user_id: viewer.id })
        if (linked === null) throw new ApiError('identity-taken')
        await mailSecurityChange(tx, app.deps, viewer.id, 'identity added')
        return linked
      })
    },
    { limit: 'oidc-link' },
  )

  mount(app, deleteIdentity, async ({ input: { params }, viewer }) => {
    await db.begin(async (tx) => {
      await lockUser(tx, viewer)
      if (!(await queries.deleteIdentity(tx, { ...params, user_id: viewer.id })))
        throw new ApiError('not-found')
      if (!(await hasSignInMethod(tx, app.deps, viewer.id))) throw new ApiError('last-sign-in-method')
      await mailSecurityChange(tx, app.deps, viewer.id, 'identity removed')
    })
    return null
  })
}
