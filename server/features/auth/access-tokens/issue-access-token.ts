import {
  type AccessToken,
  type TokenScope,
  tokenPrefix,
  tokenScopes,
} from '@reelmark/contract/access-tokens.ts'
import { hashOpaqueToken, newOpaqueToken } from '../../../core/auth/hash-token.ts'
import type { TransactionSql } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { mailSecurityChange } from '../accounts/sign-in-methods.ts'
import { createAccessToken } from './queries.ts'

const hintLength = 8

interface AccessTokenRequest {
  user_id: number
  name: string
  scopes: readonly TokenScope[]
  /** Null: the token does not expire. */
  expires_in_days: number | null
  /** The hash of the code that a program exchanged for the token; default: a user created the token. */
  code_hash?: Buffer
}

/**
 * Creates an access token and mails its owner, whose row the caller has locked. Returns the token, of which only the hash
 * is stored.
 * @throws ApiError('limit-reached') if the user has the maximum number of unexpired tokens
 */
export async function issueAccessToken(
  tx: TransactionSql,
  deps: Pick<Deps, 'jobs' | 'serverKeys' | 'settings'>,
  { user_id, name, scopes, expires_in_days, code_hash }: AccessTokenRequest,
): Promise<AccessToken & { token: string }> {
  const token = `${tokenPrefix}${newOpaqueToken()}`
  const row = await createAccessToken(tx, {
    user_id,
    hash: hashOpaqueToken(token),
    hint: token.slice(0, hintLength),
    name,
    scopes: tokenScopes.filter((scope) => scopes.includes(scope)),
    expires_in_days,
    code_hash: code_hash ?? null,
  })
  if (row === null) throw new ApiError('limit-reached')
  await mailSecurityChange(tx, deps, user_id, 'access token created')
  return { ...row, token }
}
