/** Creating calls that are sent twice do their work once (docs/behaviour.md, API: `Idempotency-Key`). */
import { createHash } from 'node:crypto'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../auth/session.ts'
import type { Db } from '../database/database.ts'
import { ApiError, InvalidFields } from './errors.ts'

/** Seconds after which a request that never finished (its process died) no longer keeps its key. */
const staleClaimSeconds = 60
const maxKeyLength = 200
const replayedHeader = 'idempotency-replayed'

interface KeyClaim {
  user_id: number
  key: string
  request_hash: Buffer
}

/**
 * Runs `run` unless the key was used before: then answers what was answered then, with `idempotency-replayed: true`.
 * Kept are the answers of what was done; what was refused or failed did nothing, and the key is free again: whoever has
 * made room meanwhile gets it. Without the header it simply runs.
 * @throws ApiError('idempotency-key-in-use') while the first request is under way, ('idempotency-key-reused') for a different request.
 */
export async function runIdempotent(
  db: Db,
  viewer: Viewer,
  request: FastifyRequest,
  reply: FastifyReply,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const header = request.headers['idempotency-key']
  if (header === undefined) return run()
  const key = String(header)
  if (key === '' || key.length > maxKeyLength) {
    throw new InvalidFields({ 'idempotency-key': [`Must be 1 to ${maxKeyLength} characters.`] })
  }
  const claim = { user_id: viewer.id, key, request_hash: requestHash(request) }
  const claimed_at = await claimKey(db, claim)
  if (claimed_at === null) return replay(db, claim, reply)
  const answer = await runOrRelease(run, { db, claim, claimed_at })
  const body = answer === undefined ? '' : (reply.serialize(answer) as string)
  // Where this fails the work is done all the same: the key stays taken for a minute, and is not freed.
  await storeReply(db, claim, claimed_at, reply.statusCode, body)
  return send(reply, reply.statusCode, body)
}

async function runOrRelease(
  run: () => Promise<unknown>,
  { db, claim, claimed_at }: { db: Db; claim: KeyClaim; claimed_at: string },
): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    await releaseKey(db, claim, claimed_at)
    throw error
  }
}

/** Of what makes two requests the same: method, path and body (cleaned, so that blanks around a text do not count). */
function requestHash(request: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([request.method, request.url.replace(/\/?(\?.*)?$/, ''), request.body ?? null]))
    .digest()
}

/**
 * Takes the key for this request; null where another has it.
 * @returns when it was taken, to the microsecond: the claim that a later one may have taken over.
 */
async function claimKey(db: Db, { user_id, key, request_hash }: KeyClaim): Promise<string | null> {
  const [row] = await db<{ claimed_at: string }[]>`
    insert into idempotency_keys as k (user_id, key, request_hash)
    values (${user_id}, ${key}, ${request_hash})
    on conflict (user_id, key) do update
       set request_hash = excluded.request_hash, status = null, body = null, created_at = now()
     where k.created_at < now() - make_interval(secs => ${limits.idempotencyRetentionSeconds})
        or (k.status is null and k.created_at < now() - make_interval(secs => ${staleClaimSeconds}))
    returning created_at::text as claimed_at`
  return row?.claimed_at ?? null
}

async function replay(db: Db, { user_id, key, request_hash }: KeyClaim, reply: FastifyReply) {
  const [first] = await db<{ request_hash: Buffer; status: number | null; body: string | null }[]>`
    select request_hash, status, body from idempotency_keys where user_id = ${user_id} and key = ${key}`
  // Freed in between: the other request failed. The caller may try again.
  if (first === undefined) throw new ApiError('idempotency-key-in-use', {}, 1)
  if (!first.request_hash.equals(request_hash)) throw new ApiError('idempotency-key-reused')
  if (first.status === null) throw new ApiError('idempotency-key-in-use', {}, 1)
  reply.header(replayedHeader, 'true')
  return send(reply, first.status, first.body ?? '')
}

function send(reply: FastifyReply, status: number, body: string): FastifyReply {
  reply.code(status)
  if (body === '') return reply.send()
  // Already JSON, as the endpoint's schema wrote it the first time.
  return reply.type('application/json; charset=utf-8').serializer(String).send(body)
}

/** `created_at` goes as text: the driver's dates are of milliseconds, and would match no claim. */
async function storeReply(
  db: Db,
  { user_id, key }: KeyClaim,
  claimedAt: string,
  status: number,
  body: string,
): Promise<void> {
  await db`
    update idempotency_keys set status = ${status}, body = ${body}
     where user_id = ${user_id} and key = ${key} and created_at = ${claimedAt}::text::timestamptz`
}

async function releaseKey(db: Db, { user_id, key }: KeyClaim, claimedAt: string): Promise<void> {
  await db`
    delete from idempotency_keys
     where user_id = ${user_id} and key = ${key} and created_at = ${claimedAt}::text::timestamptz`
}
