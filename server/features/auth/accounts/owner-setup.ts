/**
 * The first site owner. While a site has no owner, each start prints a link that creates one. Its token is a one-time
 * ticket, stored as a hash, and follows `#`, so that it is in no request line, log or referrer.
 */
import type { Registration } from '@reelmark/contract/accounts.ts'
import { createOwner } from '@reelmark/contract/owner-setup.ts'
import type { FastifyInstance } from 'fastify'
import {
  consumeTicket,
  createTicket,
  deleteTickets,
  readTicket,
} from '../../../core/auth/one-time-tickets.ts'
import { hashPassword } from '../../../core/auth/passwords.ts'
import type { Db, TransactionSql } from '../../../core/database/database.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { noteSecurityContext } from '../../../core/security-log.ts'
import { confirmEmailJob } from '../email-confirmation/jobs.ts'
import { passwordProblems } from '../passwords/rules.ts'
import { createUser, type NewUser } from './queries.ts'
import { usernameTakenText } from './rules.ts'

const purpose = 'owner-setup'
const linkSeconds = 60 * 60

/**
 * Returns a link that creates the site owner within an hour, or null if the site has an owner. Earlier links stop working:
 * they may be in the output of a start that others have read.
 */
export async function createSetupLink(db: Db, publicUrl: string): Promise<string | null> {
  if (await hasOwner(db)) return null
  await deleteTickets(db, purpose)
  return `${publicUrl}/setup#${await createTicket(db, purpose, { seconds: linkSeconds })}`
}

export function registerOwnerSetup(app: FastifyInstance): void {
  const { db, jobs, settings } = app.deps

  mount(
    app,
    createOwner,
    async ({ input: { body }, request }) => {
      // First, because nothing else may be learnt without a link.
      const ticket = await readTicket(db, purpose, body.token)
      if (ticket === null || (await hasOwner(db))) throw new ApiError('invalid-setup-link')
      const problems = fieldProblems(body, settings.publicUrl)
      if (Object.keys(problems).length > 0) throw new InvalidFields(problems)
      const password_hash = await hashPassword(body.password)
      const { username, email } = body
      const owner = await db.begin(async (tx) => {
        const created = await insertOwner(tx, { username, email, password_hash }, body.token)
        // As after a registration: without a confirmed address the owner could not reset the password.
        await jobs.send(tx, confirmEmailJob, { user_id: created.id, email: created.email })
        return created
      })
      noteSecurityContext(request, { target_id: owner.id })
      return owner
    },
    { limit: 'owner-setup' },
  )
}

/** Creates the first owner. @throws InvalidFields, ApiError('invalid-setup-link') */
async function insertOwner(tx: TransactionSql, owner: NewUser, token: string) {
  // The lock of last_owner_stays(): of several links used at the same moment, one creates an owner.
  await tx`select pg_advisory_xact_lock(7305111919)`
  if ((await hasOwner(tx)) || (await consumeTicket(tx, purpose, token)) === null)
    throw new ApiError('invalid-setup-link')
  const user = await createUser(tx, owner)
  // The transaction is rolled back, so that the link can be used with another name.
  if (user === null) throw new InvalidFields({ username: [usernameTakenText] })
  await tx`update users set is_moderator = true, is_owner = true where id = ${user.id}`
  await tx`
    insert into audit_log (actor_name, action, target_kind, target_id, before, after)
    values ('operator', 'make-owner', 'user', ${user.id}, null, '{"is_owner": true}')`
  return user
}

function fieldProblems(body: Registration, publicUrl: string): Record<string, string[]> {
  const forbidden = { ...body, publicUrl }
  const password = passwordProblems(body.password, forbidden)
  return {
    ...(password.length > 0 && { password }),
    ...(body.password !== body.password2 && { password2: ['Passwords do not match.'] }),
  }
}

async function hasOwner(db: Db): Promise<boolean> {
  const [row] = await db<[{ exists: boolean }]>`select exists (select from users where is_owner)`
  return row.exists
}
