/** Creating calls that are sent twice do their work once (decisions.md, API: `Idempotency-Key`). */
import { createHash } from 'node:crypto'
import { limits } from '@reelmark/contract/limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from './database.ts'
import { ApiError, InvalidFields } from './errors.ts'
import type { Viewer } from './session.ts'

/** Seconds after which a request that never finished (its process died) no longer keeps its key. */
const unfinishedSeconds = 60
const keyLength = 200
const replayed = 'idempotency-replayed'

interface Claim {
  user_id: number
  key: string
  request_hash: Buffer
}

/**
 * Runs `run` unless the key was used before: then answers what was answered then, with `idempotency-replayed: true`.
 * Kept are the answers of what was done; what was refused or failed did nothing, and the key is free again: whoever has
 * made room meanwhile gets it. Without the header it simply runs.
 * @throws ApiError('key-in-use') while the first request is under way, ('key-reused') for a different request.
 */
export async function answerOnce(
  db: Db,
  viewer: Viewer,
  request: FastifyRequest,
  reply: FastifyReply,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const header = request.headers['idempotency-key']
  if (header === undefined) return run()
  const key = String(header)
  if (key === '' || key.length > keyLength) {
    throw new InvalidFields({ 'idempotency-key': [`Must be 1 to ${keyLength} characters.`] })
  }
  const claim = { user_id: viewer.id, key, request_hash: hashOf(request) }
  const claimed_at = await claimKey(db, claim)
  if (claimed_at === null) return answerAgain(db, claim, reply)
  const answer = await runOrFree(run, { db, claim, claimed_at })
  const body = answer === undefined ? '' : (reply.serialize(answer) as string)
  // Where this fails the work is done all the same: the key stays taken for a minute, and is not freed.
  await keepAnswer(db, claim, claimed_at, reply.statusCode, body)
  return send(reply, reply.statusCode, body)
}

async function runOrFree(
  run: () => Promise<unknown>,
  { db, claim, claimed_at }: { db: Db; claim: Claim; claimed_at: string },
): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    await freeKey(db, claim, claimed_at)
    throw error
  }
}

/** Of what makes two requests the same: method, path and body (cleaned, so that blanks around a text do not count). */
function hashOf(request: FastifyRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([request.method, request.url.replace(/\/?(\?.*)?$/, ''), request.body ?? null]))
    .digest()
}

/**
 * Takes the key for this request; null where another has it.
 * @returns when it was taken, to the microsecond: the claim that a later one may have taken over.
 */
async function claimKey(db: Db, { user_id, key, request_hash }: Claim): Promise<string | null> {
  const [row] = await db<{ claimed_at: string }[]>`
    insert into idempotency_keys as k (user_id, key, request_hash)
    values (${user_id}, ${key}, ${request_hash})
    on conflict (user_id, key) do update
       set request_hash = excluded.request_hash, status = null, body = null, created_at = now()
     where k.created_at < now() - make_interval(secs => ${limits.idempotencySeconds})
        or (k.status is null and k.created_at < now() - make_interval(secs => ${unfinishedSeconds}))
    returning created_at::text as claimed_at`
  return row?.claimed_at ?? null
}

async function answerAgain(db: Db, { user_id, key, request_hash }: Claim, reply: FastifyReply) {
  const [first] = await db<{ request_hash: Buffer; status: number | null; body: string | null }[]>`
    select request_hash, status, body from idempotency_keys where user_id = ${user_id} and key = ${key}`
  // Freed in between: the other request failed. The caller may try again.
  if (first === undefined) throw new ApiError('key-in-use', {}, 1)
  if (!first.request_hash.equals(request_hash)) throw new ApiError('key-reused')
  if (first.status === null) throw new ApiError('key-in-use', {}, 1)
  reply.header(replayed, 'true')
  return send(reply, first.status, first.body ?? '')
}

function send(reply: FastifyReply, status: number, body: string): FastifyReply {
  reply.code(status)
  if (body === '') return reply.send()
  // Already JSON, as the endpoint's schema wrote it the first time.
  return reply.type('application/json; charset=utf-8').serializer(String).send(body)
}

/** `created_at` goes as text: the driver's dates are of milliseconds, and would match no claim. */
async function keepAnswer(
  db: Db,
  { user_id, key }: Claim,
  claimedAt: string,
  status: number,
  body: string,
): Promise<void> {
  await db`
    update idempotency_keys set status = ${status}, body = ${body}
     where user_id = ${user_id} and key = ${key} and created_at = ${claimedAt}::text::timestamptz`
}

async function freeKey(db: Db, { user_id, key }: Claim, claimedAt: string): Promise<void> {
  await db`
    delete from idempotency_keys
     where user_id = ${user_id} and key = ${key} and created_at = ${claimedAt}::text::timestamptz`
}
