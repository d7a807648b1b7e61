/** Routes for signing in and reauthenticating with passkeys, and for managing them. */
import { createHmac } from 'node:crypto'
import {
  addPasskey,
  beginAddingPasskey,
  beginPasskeyLogin,
  beginPasskeyReauthentication,
  deletePasskey,
  listPasskeys,
  logInWithPasskey,
  reauthenticateWithPasskey,
  renamePasskey,
} from '@reelmark/contract/passkeys.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import {
  consumeTicket,
  createTicket,
  readTicket,
  type Ticket,
  type TicketPurpose,
} from '../../../core/auth/one-time-tickets.ts'
import { type RequestContext, signIn } from '../../../core/auth/sign-in.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { noteSecurityContext } from '../../../core/security-log.ts'
import { hasSignInMethod, lockUser, mailSecurityChange } from '../accounts/sign-in-methods.ts'
import {
  createRecoveryCodes,
  prepareFirstRecoveryCodes,
  removeUnneededRecoveryCodes,
} from '../second-factor/recovery-codes.ts'
import { completeLogin } from '../second-factor/second-factor-login.ts'
import * as queries from './queries.ts'
import {
  loginOptions,
  newPasskeyOptions,
  readCredentialId,
  relyingParty,
  splitTickets,
  verifyLogin,
  verifyNewPasskey,
} from './rules.ts'

/** Data of the tickets of passkey flows. */
interface Challenge {
  challenge: string
}

export function registerPasskeys(app: FastifyInstance): void {
  const { db, settings } = app.deps
  const rp = relyingParty(settings.publicUrl)

  async function beginChallenge(
    purpose: TicketPurpose & `passkey-${string}`,
    options: { challenge: string },
    user_id: number | null,
  ): Promise<Reply<typeof beginAddingPasskey>> {
    const { challenge } = options
    return {
      ticket: await createTicket(db, purpose, { user_id, data: { challenge } }),
      options: { ...options },
    }
  }

  /** Consumes the ticket of a challenge that was created for a user, or for sign-in if `userId` is null. */
  async function consumeChallenge(
    purpose: TicketPurpose & `passkey-${string}`,
    text: string,
    userId: number | null,
  ): Promise<Ticket<Challenge>> {
    const ticket = await consumeTicket<Challenge>(db, purpose, text)
    if (ticket === null || ticket.user_id !== userId) throw new ApiError('ticket-expired')
    return ticket
  }

  /**
   * Verifies a signed challenge and returns the passkey. If the ticket belongs to a user, it must be one of theirs.
   * @throws ApiError('passkey-refused') for any reason
   */
  async function verifyCredential(
    credential: Record<string, unknown>,
    { user_id, data: { challenge } }: Ticket<Challenge>,
    { verified }: { verified: boolean },
  ): Promise<queries.PasskeyOwner> {
    const id = readCredentialId(credential)
    const passkey = id === null ? null : await queries.findPasskey(db, id, user_id)
    const use = await verifyLogin(credential, passkey, { rp, challenge, verified })
    if (passkey === null || use === null || !(await queries.recordPasskeyUse(db, passkey.id, use))) {
      throw new ApiError('passkey-refused')
    }
    return passkey
  }

  mount(
    app,
    beginPasskeyLogin,
    async ({ input: { body } }) => {
      if (body.ticket === undefined) {
        return beginChallenge('passkey-login', await loginOptions(rp, { verified: true }), null)
      }
      const login = await readTicket(db, 'second-factor', body.ticket)
      if (login?.user_id == null) throw new ApiError('ticket-expired')
      const allowed = await queries.listCredentials(db, login.user_id)
      // The password was right, so possession is enough and user verification is optional.
      const options = await loginOptions(rp, { allowed, verified: false })
      const { ticket } = await beginChallenge('passkey-login', options, login.user_id)
      return { ticket: `${ticket}.${body.ticket}`, options: { ...options } }
    },
    { limit: 'begin-passkey-login' },
  )

  mount(
    app,
    logInWithPasskey,
    async ({ input: { body }, request, reply }) => {
      const { passkeyTicket, login } = splitTickets(body.ticket)
      const context = { request, reply }
      return login === null
        ? logInWithCredential(context, await consumeChallenge('passkey-login', passkeyTicket, null), body)
        : completeSecondStep(context, passkeyTicket, login, body.credential)
    },
    { limit: 'passkey-login' },
  )

  async function logInWithCredential(
    context: RequestContext,
    ticket: Ticket<Challenge>,
    { credential, remember = true }: { credential: Record<string, unknown>; remember?: boolean },
  ) {
    const {
      user_id: id,
      username,
      is_banned,
    } = await verifyCredential(credential, ticket, { verified: true })
    noteSecurityContext(context.request, { target_id: id })
    const signedIn = is_banned ? null : await signIn(db, context, { id, username }, { remember })
    if (signedIn === null) throw new ApiError('banned')
    return signedIn
  }

  /** Completes the second step of a login. Until the passkey is valid, the login's ticket can be used again. */
  async function completeSecondStep(
    context: RequestContext,
    passkeyTicket: string,
    login: string,
    credential: Record<string, unknown>,
  ) {
    const firstStep = await readTicket(db, 'second-factor', login)
    if (firstStep?.user_id == null) throw new ApiError('ticket-expired')
    noteSecurityContext(context.request, { target_id: firstStep.user_id })
    await verifyCredential(
      credential,
      await consumeChallenge('passkey-login', passkeyTicket, firstStep.user_id),
      {
        verified: false,
      },
    )
    const taken = await consumeTicket<Parameters<typeof completeLogin>[2]['data']>(db, 'second-factor', login)
    if (taken === null) throw new ApiError('ticket-expired')
    return completeLogin(db, context, taken)
  }

  mount(
    app,
    beginPasskeyReauthentication,
    async ({ viewer }) => {
      const allowed = await queries.listCredentials(db, viewer.id)
      return beginChallenge('passkey-reauth', await loginOptions(rp, { allowed, verified: true }), viewer.id)
    },
    { limit: 'begin-passkey-reauth' },
  )

  mount(
    app,
    reauthenticateWithPasskey,
    async ({ input: { body }, viewer }) => {
      const ticket = await consumeChallenge('passkey-reauth', body.ticket, viewer.id)
      await verifyCredential(body.credential, ticket, { verified: true })
      await queries.reauthenticateSession(db, viewer.session_id)
      return null
    },
    { limit: 'passkey-reauth' },
  )

  mount(app, listPasskeys, async ({ input, viewer }) => {
    const { count, rows } = await queries.listPasskeys(db, viewer.id, offsetOf(input.query))
    return pageReply(listPasskeys, input, count, rows)
  })

  mount(
    app,
    beginAddingPasskey,
    async ({ viewer }) => {
      const existing = await queries.listCredentials(db, viewer.id)
      if (existing.length >= limits.passkeysMax) throw new ApiError('limit-reached')
      // Authenticators reveal the handle, so it is an opaque value. Sign-in uses the credential id only.
      const key = app.deps.serverKeys['passkey-user']
      const handle = new Uint8Array(createHmac('sha256', key).update(String(viewer.id)).digest())
      const options = await newPasskeyOptions(rp, { username: viewer.username, handle, existing })
      return beginChallenge('passkey-add', options, viewer.id)
    },
    { limit: 'begin-adding-passkey' },
  )

  mount(app, addPasskey, async ({ input: { body }, viewer }) => {
    const { data } = await consumeChallenge('passkey-add', body.ticket, viewer.id)
    const created = await verifyNewPasskey(body.credential, { rp, challenge: data.challenge })
    if (created === null) throw new ApiError('passkey-refused')
    const recoveryCodes = await prepareFirstRecoveryCodes(db, viewer.id)
    return db.begin(async (tx) => {
      await lockUser(tx, viewer)
      const existing = await queries.listCredentials(tx, viewer.id)
      if (existing.length >= limits.passkeysMax) throw new ApiError('limit-reached')
      const passkey = await queries.addPasskey(tx, viewer.id, { ...created, name: body.name })
      if (passkey === null) throw new ApiError('passkey-refused')
      const recovery_codes = await createRecoveryCodes(tx, viewer.id, recoveryCodes)
      await mailSecurityChange(tx, app.deps, viewer.id, 'passkey added')
      return { passkey, recovery_codes }
    })
  })

  mount(app, renamePasskey, async ({ input: { params, body }, viewer }) => {
    const passkey = await queries.renamePasskey(db, { ...params, ...body, user_id: viewer.id })
    if (passkey === null) throw new ApiError('not-found')
    return passkey
  })

  mount(app, deletePasskey, async ({ input: { params }, viewer }) => {
    await db.begin(async (tx) => {
      await lockUser(tx, viewer)
      if (!(await queries.deletePasskey(tx, { ...params, user_id: viewer.id })))
        throw new ApiError('not-found')
      if (!(await hasSignInMethod(tx, app.deps, viewer.id))) throw new ApiError('last-sign-in-method')
      await removeUnneededRecoveryCodes(tx, viewer.id)
      await mailSecurityChange(tx, app.deps, viewer.id, 'passkey removed')
    })
    return null
  })
}
