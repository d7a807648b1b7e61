/**
 * Tickets connect two requests of one flow: a login and its second step, a passkey challenge and its signature, the way
 * to an identity provider and back. A ticket is 256 random bits, of which the database stores the hash. It is valid for
 * some minutes, for one purpose, once.
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
  | 'proof-of-work'
  | 'owner-setup'
  | 'connection'

export interface Ticket<Data> {
  user_id: number | null
  data: Data
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Creates a ticket, valid for `seconds`, and returns it. `data` is returned when the ticket is read or consumed. */
export async function createTicket(
  db: Db,
  purpose: TicketPurpose,
  {
    user_id = null,
    data = {},
    seconds = limits.ticketSeconds,
  }: { user_id?: number | null; data?: { [key: string]: Json }; seconds?: number } = {},
): Promise<string> {
  const ticket = newOpaqueToken()
  await db`
    insert into one_time_tickets (hash, purpose, user_id, data, expires_at)
    values (${hashOpaqueToken(ticket)}, ${purpose}, ${user_id}, ${db.json(data)},
            now() + make_interval(secs => ${seconds}))`
  return ticket
}

/**
 * Returns the contents of a ticket, which stays valid; null if it is unknown, of another purpose, expired or consumed.
 */
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

/**
 * Reads a ticket and counts an attempt. Returns null, like `readTicket`, and after `limits.ticketAttemptsMax` attempts.
 */
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

/** Reads and deletes a ticket. Of two concurrent calls, one gets it; the other gets null. */
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

/** Deletes all tickets of a purpose, so that they are no longer valid. */
export async function deleteTickets(db: Db, purpose: TicketPurpose): Promise<void> {
  await db`delete from one_time_tickets where purpose = ${purpose}`
}

/**
 * Marks a signed value as used, and returns whether this is its first use. The mark expires with the tickets, so the
 * value itself must expire earlier.
 */
export async function consumeOnce(db: Db, purpose: TicketPurpose, signature: string): Promise<boolean> {
  const used = await db`
    insert into one_time_tickets (hash, purpose, expires_at)
    values (${hashOpaqueToken(signature)}, ${purpose}, now() + make_interval(secs => ${limits.ticketSeconds}))
    on conflict do nothing`
  return used.count === 1
}
