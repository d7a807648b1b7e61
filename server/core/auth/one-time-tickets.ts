/**
 * What is begun in one request and finished in another: a login that waits for its second step, a passkey for its
 * signature, another site for the way back. A ticket is 256 random bits, of which the database has the hash; it works
 * for some minutes, for one purpose, once.
 */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db } from '../database/database.ts'
import { hashOpaqueToken, newOpaqueToken } from './hash-token.ts'

export type TicketPurpose =
  | 'second-factor'
  | 'passkey-login'
  | 'passkey-reauth'
  | 'passkey-add'
  | 'oidc-login'
  | 'oidc-link'
  | 'oidc-register'
  | 'registration-challenge'

export interface Ticket<Data> {
  user_id: number | null
  data: Data
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Opens a ticket and answers it. `data` is kept for whoever takes it. */
export async function createTicket(
  db: Db,
  purpose: TicketPurpose,
  { user_id = null, data = {} }: { user_id?: number | null; data?: { [key: string]: Json } } = {},
): Promise<string> {
  const ticket = newOpaqueToken()
  await db`
    insert into one_time_tickets (hash, purpose, user_id, data, expires_at)
    values (${hashOpaqueToken(ticket)}, ${purpose}, ${user_id}, ${db.json(data)},
            now() + make_interval(secs => ${limits.ticketSeconds}))`
  return ticket
}

/** What a ticket is of, which stays open; null where it is none, of another purpose, over or taken. */
export async function readTicket<Data = unknown>(
  db: Db,
  purpose: TicketPurpose,
  ticket: string,
): Promise<Ticket<Data> | null> {
  const [row] = await db<Ticket<Data>[]>`
    select user_id, data from one_time_tickets
     where hash = ${hashOpaqueToken(ticket)} and purpose = ${purpose} and expires_at > now()`
  return row ?? null
}

/** As `readTicket`, and counts an attempt at it: the ticket is over after `limits.ticketAttempts`. */
export async function attemptTicket<Data = unknown>(
  db: Db,
  purpose: TicketPurpose,
  ticket: string,
): Promise<Ticket<Data> | null> {
  const [row] = await db<Ticket<Data>[]>`
    update one_time_tickets set attempts = attempts + 1
     where hash = ${hashOpaqueToken(ticket)} and purpose = ${purpose} and expires_at > now()
       and attempts < ${limits.ticketAttemptsMax}
    returning user_id, data`
  return row ?? null
}

/** Takes a ticket: of two at once, one gets it. Null as `readTicket`. */
export async function consumeTicket<Data = unknown>(
  db: Db,
  purpose: TicketPurpose,
  ticket: string,
): Promise<Ticket<Data> | null> {
  const [row] = await db<Ticket<Data>[]>`
    delete from one_time_tickets
     where hash = ${hashOpaqueToken(ticket)} and purpose = ${purpose} and expires_at > now()
    returning user_id, data`
  return row ?? null
}

/**
 * For what is signed and kept nowhere until it is used: whether this is the first time. It is remembered for as long as
 * a ticket works, so what is used must be over by then.
 */
export async function consumeOnce(db: Db, purpose: TicketPurpose, signature: string): Promise<boolean> {
  const used = await db`
    insert into one_time_tickets (hash, purpose, expires_at)
    values (${hashOpaqueToken(signature)}, ${purpose}, now() + make_interval(secs => ${limits.ticketSeconds}))
    on conflict do nothing`
  return used.count === 1
}
