/** Passkeys over HTTP: signing in by one, confirming by one, and the list of one's own. */
import { createHmac } from 'node:crypto'
import type { Reply } from '@reelmark/contract/endpoint.ts'
import { limits } from '@reelmark/contract/limits.ts'
import {
  addPasskey,
  beginPasskey,
  beginPasskeyConfirm,
  beginPasskeyLogin,
  confirmByPasskey,
  listPasskeys,
  logInByPasskey,
  removePasskey,
  renamePasskey,
} from '@reelmark/contract/passkeys.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import { answerPage, rangeOf } from '../../core/paging.ts'
import { type Http, signIn } from '../../core/sign-in.ts'
import { openTicket, readTicket, type Ticket, type TicketPurpose, takeTicket } from '../../core/tickets.ts'
import { hasWayIn, lockUser, tellOfChange } from '../accounts/cards.ts'
import { dropNeedlessRecoveryCodes, finishLogin, makeRecoveryCodes } from '../second-factor/cards.ts'
import * as queries from './queries.ts'
import {
  credentialIdOf,
  loginOptions,
  newPasskeyOptions,
  siteOf,
  splitTicket,
  verifyLogin,
  verifyNewPasskey,
} from './rules.ts'

/** What a ticket of a passkey keeps. */
interface Challenge {
  challenge: string
}

export function registerPasskeys(app: FastifyInstance): void {
  const { db, settings } = app.deps
  const site = siteOf(settings.publicUrl)

  async function begin(
    purpose: TicketPurpose & `passkey ${string}`,
    options: { challenge: string },
    user_id: number | null,
  ): Promise<Reply<typeof beginPasskey>> {
    const { challenge } = options
    return {
      ticket: await openTicket(db, purpose, { user_id, data: { challenge } }),
      options: { ...options },
    }
  }

  /** The one use of a challenge that was given to `userId`. */
  async function take(
    purpose: TicketPurpose & `passkey ${string}`,
    text: string,
    userId: number | null,
  ): Promise<Ticket<Challenge>> {
    const ticket = await takeTicket<Challenge>(db, purpose, text)
    if (ticket === null || ticket.user_id !== userId) throw new ApiError('bad-ticket')
    return ticket
  }

  /**
   * The passkey that signed a ticket's challenge; where the ticket is of a user, one of theirs.
   * @throws ApiError('passkey-refused') whatever is wrong with it.
   */
  async function check(
    credential: Record<string, unknown>,
    { user_id, data: { challenge } }: Ticket<Challenge>,
    { verified }: { verified: boolean },
  ): Promise<queries.PasskeyOwner> {
    const id = credentialIdOf(credential)
    const passkey = id === null ? null : await queries.findPasskey(db, id, user_id)
    const use = await verifyLogin(credential, passkey, { site, challenge, verified })
    if (passkey === null || use === null || !(await queries.usePasskey(db, passkey.id, use))) {
      throw new ApiError('passkey-refused')
    }
    return passkey
  }

  mount(
    app,
    beginPasskeyLogin,
    async ({ input: { body } }) => {
      if (body.ticket === undefined) {
        return begin('passkey login', await loginOptions(site, { verified: true }), null)
      }
      const login = await readTicket(db, 'second factor', body.ticket)
      if (login?.user_id == null) throw new ApiError('bad-ticket')
      const allowed = await queries.credentialsOf(db, login.user_id)
      // Their password was right: that they have the thing is enough.
      const options = await loginOptions(site, { allowed, verified: false })
      const { ticket } = await begin('passkey login', options, login.user_id)
      return { ticket: `${ticket}.${body.ticket}`, options: { ...options } }
    },
    { limit: 'begin passkey login' },
  )

  mount(
    app,
    logInByPasskey,
    async ({ input: { body }, request, reply }) => {
      const { own, login } = splitTicket(body.ticket)
      const http = { request, reply }
      return login === null
        ? logInBy(http, await take('passkey login', own, null), body)
        : finishBy(http, own, login, body.credential)
    },
    { limit: 'passkey login' },
  )

  async function logInBy(
    http: Http,
    ticket: Ticket<Challenge>,
    { credential, remember = true }: { credential: Record<string, unknown>; remember?: boolean },
  ) {
    const { user_id: id, username, is_banned } = await check(credential, ticket, { verified: true })
    const signedIn = is_banned ? null : await signIn(db, http, { id, username }, { remember })
    if (signedIn === null) throw new ApiError('banned')
    return signedIn
  }

  /** The second step: the half-done login waits on, for another try, until the passkey is right. */
  async function finishBy(http: Http, own: string, login: string, credential: Record<string, unknown>) {
    const half = await readTicket(db, 'second factor', login)
    if (half?.user_id == null) throw new ApiError('bad-ticket')
    await check(credential, await take('passkey login', own, half.user_id), { verified: false })
    const taken = await takeTicket<Parameters<typeof finishLogin>[2]['data']>(db, 'second factor', login)
    if (taken === null) throw new ApiError('bad-ticket')
    return finishLogin(db, http, taken)
  }

  mount(
    app,
    beginPasskeyConfirm,
    async ({ viewer }) => {
      const allowed = await queries.credentialsOf(db, viewer.id)
      return begin('passkey confirm', await loginOptions(site, { allowed, verified: true }), viewer.id)
    },
    { limit: 'begin passkey confirm' },
  )

  mount(
    app,
    confirmByPasskey,
    async ({ input: { body }, viewer }) => {
      const ticket = await take('passkey confirm', body.ticket, viewer.id)
      await check(body.credential, ticket, { verified: true })
      await queries.confirmSession(db, viewer.session_id)
      return null
    },
    { limit: 'passkey confirm' },
  )

  mount(app, listPasskeys, async ({ input, viewer }) => {
    const { count, rows } = await queries.listPasskeys(db, viewer.id, rangeOf(input.query))
    return answerPage(listPasskeys, input, count, rows)
  })

  mount(
    app,
    beginPasskey,
    async ({ viewer }) => {
      const known = await queries.credentialsOf(db, viewer.id)
      if (known.length >= limits.passkeysMax) throw new ApiError('too-many-there')
      // Authenticators show it to whoever holds them: it tells nothing. Sign-in goes by the credential's id alone.
      const key = app.deps.serverKeys['passkey-user']
      const handle = new Uint8Array(createHmac('sha256', key).update(String(viewer.id)).digest())
      const options = await newPasskeyOptions(site, { username: viewer.username, handle, known })
      return begin('passkey add', options, viewer.id)
    },
    { limit: 'begin passkey' },
  )

  mount(app, addPasskey, async ({ input: { body }, viewer }) => {
    const { data } = await take('passkey add', body.ticket, viewer.id)
    const made = await verifyNewPasskey(body.credential, { site, challenge: data.challenge })
    if (made === null) throw new ApiError('passkey-refused')
    return db.begin(async (tx) => {
      await lockUser(tx, viewer.id)
      const known = await queries.credentialsOf(tx, viewer.id)
      if (known.length >= limits.passkeysMax) throw new ApiError('too-many-there')
      const passkey = await queries.addPasskey(tx, viewer.id, { ...made, name: body.name })
      if (passkey === null) throw new ApiError('passkey-refused')
      const recovery_codes = await makeRecoveryCodes(tx, viewer.id)
      await tellOfChange(tx, app.deps, viewer.id, 'passkey added', passkey.name)
      return { passkey, recovery_codes }
    })
  })

  mount(app, renamePasskey, async ({ input: { params, body }, viewer }) => {
    const passkey = await queries.renamePasskey(db, { ...params, ...body, user_id: viewer.id })
    if (passkey === null) throw new ApiError('not-found')
    return passkey
  })

  mount(app, removePasskey, async ({ input: { params }, viewer }) => {
    await db.begin(async (tx) => {
      await lockUser(tx, viewer.id)
      const name = await queries.removePasskey(tx, { ...params, user_id: viewer.id })
      if (name === null) throw new ApiError('not-found')
      if (!(await hasWayIn(tx, app.deps, viewer.id))) throw new ApiError('last-way-in')
      await dropNeedlessRecoveryCodes(tx, viewer.id)
      await tellOfChange(tx, app.deps, viewer.id, 'passkey removed', name)
    })
    return null
  })
}
