/** Verifies codes of authenticator apps and recovery codes, for logins, reauthentication and the setup of an app. */
import type { FastifyRequest } from 'fastify'
import { decrypt } from '../../../core/auth/encryption.ts'
import type { TransactionSql } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { mailSecurityChange } from '../accounts/sign-in-methods.ts'
import { registerCodeAttempt } from './code-throttle.ts'
import * as queries from './queries.ts'
import { consumeRecoveryCode, hashEnteredCode } from './recovery-codes.ts'
import { matchTotpStep, readCode } from './rules.ts'

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings'>

/** Messages about a code that was refused, by reason. */
const wrongCodeTexts = {
  authenticator: 'Incorrect code. Codes change every 30 seconds and work once.',
  recovery_code: 'Incorrect or already used recovery code.',
  nothing_begun: 'Setup expired. Start again.',
}

/** A code that was counted as an attempt and can now be used in a transaction. */
export interface EnteredCode {
  kind: 'authenticator' | 'recovery_code'
  /** Removes the attempt from the counts. Call it if the code was right, or was not checked. */
  forgive(): Promise<void>
  /** Uses up the code. @throws InvalidFields if it is wrong or was used before */
  use(tx: TransactionSql): Promise<void>
}

/**
 * Counts a code as wrong before it is checked (code-throttle.ts). A recovery code is hashed here, because a transaction
 * must not wait in the queue for hashes.
 * @throws ApiError('login-rate-limited'), ApiError('rate-limited') if the queue for hashes is full
 */
export async function enterCode(
  deps: Dependencies,
  request: FastifyRequest,
  userId: number,
  typed: string,
): Promise<EnteredCode> {
  const { kind, code } = readCode(typed)
  const forgive = await registerCodeAttempt(deps, request, userId, kind)
  if (kind === 'authenticator')
    return { kind, forgive, use: (tx) => useAppCode(deps, tx, userId, code, 'set up') }
  const hash = await hashEnteredCode(deps.db, userId, code)
  return { kind, forgive, use: (tx) => useRecoveryCode(deps, tx, userId, hash) }
}

/** Checks and uses up a code of an app. @throws InvalidFields if it is wrong or was used before */
export async function useAppCode(
  deps: Dependencies,
  tx: TransactionSql,
  userId: number,
  code: string,
  state: 'set up' | 'begun',
): Promise<void> {
  const encryptedSecret = await queries.findAuthenticator(tx, userId, state)
  if (encryptedSecret === null) throw wrongCodeError(state === 'begun' ? 'nothing_begun' : 'authenticator')
  const secret = decrypt(deps.serverKeys.authenticator, String(userId), encryptedSecret)
  const step = matchTotpStep(secret, code)
  if (step === null || !(await queries.consumeTotpStep(tx, userId, step)))
    throw wrongCodeError('authenticator')
}

/** Uses up a recovery code and mails the owner. @throws InvalidFields if it is wrong or was used before */
async function useRecoveryCode(
  deps: Dependencies,
  tx: TransactionSql,
  userId: number,
  hash: string | null,
): Promise<void> {
  if (!(await consumeRecoveryCode(tx, userId, hash))) throw wrongCodeError('recovery_code')
  await mailSecurityChange(tx, deps, userId, 'recovery code used')
}

function wrongCodeError(reason: keyof typeof wrongCodeTexts): InvalidFields {
  return new InvalidFields({ verification_code: [wrongCodeTexts[reason]] })
}
