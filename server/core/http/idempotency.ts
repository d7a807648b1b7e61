/**
 * Executes creating calls once even if they are sent twice: `Idempotency-Key`
 * (docs/decisions/0026-idempotency-keys.md). Key and response are stored in the transaction of the call, so that a
 * crash leaves both or neither.
 */
import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { decrypt, encrypt } from '../auth/encryption.ts'
import type { Sql, TransactionSql } from '../database/database.ts'
import { withTransaction } from '../database/transaction.ts'
import { ApiError, InvalidFields } from './errors.ts'

const maxKeyLength = 200
const replayedHeader = 'idempotency-replayed'

/** Executes a call using `tx` and no other connection, and returns the body of the response. */
type Work = (tx: TransactionSql) => Promise<unknown>

/**
 * A key as the database knows it. The response may contain what its user deletes a minute later, so that it is stored
 * encrypted, and only a repeated request brings the key to decrypt it.
 */
interface StoredKey {
  userId: number
  hash: Buffer
  secret: KeyObject
}

interface StoredReply {
  status: number
  /** JSON, or empty for a response without a body. */
  body: string
}

/**
 * Runs `work` in a transaction. If the user has used the request's `Idempotency-Key` before, sends the first response
 * again instead, with `idempotency-replayed: true`. Only successful responses are stored: a failed call had no effect,
 * and its key can be used again.
 * @param userId the user who makes the call; keys belong to users
 * @throws ApiError('idempotency-key-in-use') while the first call is running, ('idempotency-key-reused') if the
 *   request differs from the first one
 */
export async function runIdempotent(
  db: Sql,
  userId: number,
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work,
): Promise<unknown> {
  const sentKey = readKey(request)
  if (sentKey === null) return withTransaction(db, work)
  const key = deriveStoredKey(userId, sentKey)
  const requestHash = hashRequest(request, sentKey)
  const { stored, isReplay } = await withTransaction(db, async (tx) => {
    const earlier = await lockKey(tx, key, requestHash)
    if (earlier !== null) return { stored: earlier, isReplay: true }
    const result = await work(tx)
    const body = result === undefined ? '' : (reply.serialize(result) as string)
    const stored: StoredReply = { status: reply.statusCode, body }
    await tx`
      insert into idempotency_keys ${tx({
        user_id: userId,
        key_hash: key.hash,
        request_hash: requestHash,
        status: stored.status,
        body: encrypt(key.secret, boundTo(key), body),
      })}
      on conflict (user_id, key_hash) do update
         set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = now()`
    return { stored, isReplay: false }
  })
  if (isReplay) reply.header(replayedHeader, 'true')
  return send(reply, stored)
}

/** Returns the request's key, or null. @throws InvalidFields if the key is empty or too long */
function readKey(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  const key = String(header)
  if (key === '' || key.length > maxKeyLength) {
    throw new InvalidFields({ 'idempotency-key': [`Must be 1 to ${maxKeyLength} characters.`] })
  }
  return key
}

function deriveStoredKey(userId: number, key: string): StoredKey {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, `${userId}`, purpose, 32))
  return { userId, hash: derive('hash'), secret: createSecretKey(derive('response')) }
}

/** Binds a stored response to its row. */
function boundTo({ userId, hash }: StoredKey): string {
  return `${userId} ${hash.toString('hex')}`
}

/**
 * Identifies a request by key, method, path and body. The body has been normalised: surrounding white space is ignored.
 */
function hashRequest(request: FastifyRequest, key: string): Buffer {
  const path = request.url.replace(/\?.*/s, '').replace(/\/$/, '')
  return createHash('sha256')
    .update(JSON.stringify([key, request.method, path, request.body ?? null]))
    .digest()
}

/**
 * Locks a user's key until the transaction ends and returns the response stored under it, or null.
 * @throws ApiError('idempotency-key-in-use') if another transaction holds the lock, ('idempotency-key-reused')
 */
async function lockKey(tx: TransactionSql, key: StoredKey, requestHash: Buffer): Promise<StoredReply | null> {
  const { userId, hash } = key
  const [lock] = await tx<[{ is_free: boolean }]>`
    select pg_try_advisory_xact_lock(hashtextextended(${hash.toString('hex')}, ${userId})) as is_free`
  // A separate statement: only one that starts after locking sees what the previous holder of the lock committed.
  const [stored] = await tx<{ request_hash: Buffer; status: number; body: Buffer }[]>`
    select request_hash, status, body from idempotency_keys
     where user_id = ${userId} and key_hash = ${hash}
       and created_at > now() - make_interval(secs => ${limits.idempotencyRetentionSeconds})`
  if (stored !== undefined && !stored.request_hash.equals(requestHash))
    throw new ApiError('idempotency-key-reused')
  // Refused rather than queued: waiting requests would occupy the connections that the first one may need.
  if (!lock.is_free) throw new ApiError('idempotency-key-in-use', {}, 1)
  if (stored === undefined) return null
  return { status: stored.status, body: decrypt(key.secret, boundTo(key), stored.body) }
}

function send(reply: FastifyReply, { status, body }: StoredReply): FastifyReply {
  reply.code(status)
  if (body === '') return reply.send()
  // The body is JSON already, serialised by the schema of the endpoint the first time.
  return reply.type('application/json; charset=utf-8').serializer(String).send(body)
}
