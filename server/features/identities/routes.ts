/** Signing in through another site, and linking it to an account, over HTTP. */
import {
  addIdentity,
  beginIdentity,
  beginOidcLogin,
  getSignInWays,
  listIdentities,
  logInByOidc,
  registerByOidc,
  removeIdentity,
} from '@reelmark/contract/identities.ts'
import { limits } from '@reelmark/contract/limits.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import { newOpaqueToken } from '../../core/opaque-tokens.ts'
import { answerPage, rangeOf } from '../../core/paging.ts'
import { type Http, signIn } from '../../core/sign-in.ts'
import { openTicket, readTicket, takeTicket } from '../../core/tickets.ts'
import {
  createUserWithoutPassword,
  hasWayIn,
  isEmailKnown,
  lockUser,
  tellOfChange,
} from '../accounts/cards.ts'
import { reportHeldPerson } from '../moderation/cards.ts'
import { currentRules, partOfName, screen } from '../screening/cards.ts'
import { openProvider, type Provider } from './provider.ts'
import * as queries from './queries.ts'
import { browserHash, isSameBrowser, usernamesFor, type Vouched } from './rules.ts'

type Purpose = 'oidc login' | 'oidc link'

/** What a ticket of somebody who went away keeps; the ticket itself is the `state`. */
type Away = {
  nonce: string
  verifier: string
  /** Of the cookie of the browser that went. */
  browser: string
}

/** What the ticket of somebody who may register keeps. */
type Newcomer = { issuer: string; subject: string; email: string; remember: boolean }

interface BroughtBack {
  state: string
  code?: string
  iss?: string
  error?: string
}

const cookie = 'oidc'

export function registerIdentities(app: FastifyInstance): void {
  const { db, settings } = app.deps
  const opened = openProvider(settings, app.log)
  app.addHook('onClose', async () => opened?.close())
  const cookieOptions = {
    httpOnly: true,
    sameSite: 'lax',
    secure: settings.publicUrl.startsWith('https:'),
    path: '/api/',
  } as const

  function provider(): Provider {
    if (opened === null) throw new ApiError('not-found')
    return opened
  }

  async function goAway(reply: FastifyReply, purpose: Purpose, user_id: number | null) {
    const site = provider()
    await site.ready()
    const [nonce, verifier, browser] = [newOpaqueToken(), newOpaqueToken(), newOpaqueToken()]
    const data = { nonce, verifier, browser: browserHash(browser) } satisfies Away
    const state = await openTicket(db, purpose, { user_id, data })
    reply.setCookie(cookie, browser, { ...cookieOptions, maxAge: limits.ticketSeconds })
    return { url: await site.urlFor({ state, nonce, verifier }) }
  }

  /**
   * Who came back, to the browser that they left from, for what they went away for.
   * @throws ApiError('sign-in-refused'), ApiError('unavailable')
   */
  async function comeBack(
    { request, reply }: Http,
    { state, code, iss, error }: BroughtBack,
    purpose: Purpose,
    userId: number | null,
  ) {
    const site = provider()
    await site.ready()
    const away = await readTicket<Away>(db, purpose, state)
    // Looked at before it is taken: whoever got hold of a state must not spoil it for its owner.
    const isTheirs = away?.user_id === userId && isSameBrowser(away.data.browser, request.cookies[cookie])
    if (away === null || !isTheirs || (await takeTicket(db, purpose, state)) === null) {
      throw new ApiError('sign-in-refused')
    }
    reply.clearCookie(cookie, cookieOptions)
    if (code === undefined || error !== undefined) throw new ApiError('sign-in-refused')
    return site.identify({ state, code, ...(iss !== undefined && { iss }) }, { state, ...away.data })
  }

  mount(app, getSignInWays, async () => ({ oidc: opened && { name: opened.name } }))

  mount(app, beginOidcLogin, ({ reply }) => goAway(reply, 'oidc login', null), {
    limit: 'begin oidc login',
  })

  mount(
    app,
    logInByOidc,
    async ({ input: { body }, request, reply }) => {
      const { remember = true, ...returned } = body
      const http = { request, reply }
      const who = await comeBack(http, returned, 'oidc login', null)
      const known = await queries.findIdentity(db, who)
      if (known === null || !(await queries.useIdentity(db, known.id))) {
        throw await welcome(await who.profile(), remember)
      }
      const user = { id: known.user_id, username: known.username }
      const signedIn = known.is_banned ? null : await signIn(db, http, user, { remember })
      if (signedIn === null) throw new ApiError('banned')
      return signedIn
    },
    { limit: 'oidc login' },
  )

  /** What to tell somebody who is linked to no account. An e-mail alone links nobody: 0009. */
  async function welcome({ issuer, subject, email, names }: Vouched, remember: boolean): Promise<ApiError> {
    if (email === null) {
      const detail = `${provider().name} didn't share your email address, which is required to create an account.`
      return new ApiError('sign-in-refused', { detail })
    }
    if (await isEmailKnown(db, email)) return new ApiError('email-known')
    const suggested_username = (await queries.firstFree(db, usernamesFor(names))) ?? ''
    const data = { issuer, subject, email, remember } satisfies Newcomer
    const ticket = await openTicket(db, 'oidc register', { data })
    return new ApiError('username-needed', { ticket, suggested_username, email })
  }

  mount(
    app,
    registerByOidc,
    async ({ input: { body }, request, reply }) => {
      const held = screen(await currentRules(db), [partOfName(body.username)])
      const { remember, ...user } = await db.begin(async (tx) => {
        // Given back with the transaction where the username is taken: they choose another.
        const ticket = await takeTicket<Newcomer>(tx, 'oidc register', body.ticket)
        if (ticket === null) throw new ApiError('bad-ticket')
        const { remember, ...who } = ticket.data
        const made = await createUserWithoutPassword(tx, { username: body.username, email: who.email })
        if ((await queries.addIdentity(tx, { ...who, user_id: made.id })) === null) {
          throw new ApiError('identity-taken')
        }
        if (held !== null) await reportHeldPerson(tx, made.id, `The username. ${held}`)
        return { ...made, remember }
      })
      const signedIn = await signIn(db, { request, reply }, user, { remember })
      // Banned as soon as they were there.
      if (signedIn === null) throw new ApiError('bad-ticket')
      return signedIn
    },
    { limit: 'register' },
  )

  mount(app, listIdentities, async ({ input, viewer }) => {
    const { count, rows } = await queries.listIdentities(db, viewer.id, rangeOf(input.query))
    return answerPage(listIdentities, input, count, rows)
  })

  mount(app, beginIdentity, ({ reply, viewer }) => goAway(reply, 'oidc link', viewer.id), {
    limit: 'begin oidc link',
  })

  mount(
    app,
    addIdentity,
    async ({ input: { body }, viewer, request, reply }) => {
      const who = await comeBack({ request, reply }, body, 'oidc link', viewer.id)
      const { issuer, subject, email } = await who.profile()
      return db.begin(async (tx) => {
        const identity = await queries.addIdentity(tx, { issuer, subject, email, user_id: viewer.id })
        if (identity === null) throw new ApiError('identity-taken')
        await tellOfChange(tx, app.deps, viewer.id, 'identity added', identity.issuer)
        return identity
      })
    },
    { limit: 'oidc link' },
  )

  mount(app, removeIdentity, async ({ input: { params }, viewer }) => {
    await db.begin(async (tx) => {
      await lockUser(tx, viewer.id)
      const host = await queries.removeIdentity(tx, { ...params, user_id: viewer.id })
      if (host === null) throw new ApiError('not-found')
      if (!(await hasWayIn(tx, app.deps, viewer.id))) throw new ApiError('last-way-in')
      await tellOfChange(tx, app.deps, viewer.id, 'identity removed', host)
    })
    return null
  })
}
