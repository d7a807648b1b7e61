/** What a user must do to prove their identity again before a sensitive change. */
import type { ReauthenticationRequired } from '@reelmark/contract/account-settings.ts'
import type { Db } from '../database/database.ts'
import { ApiError } from '../http/errors.ts'

/** Returns the error (403) that lists the methods with which a user can reauthenticate. */
export async function reauthenticationRequired(db: Db, userId: number | null): Promise<ApiError> {
  const [user] = await db<
    { has_password: boolean; has_app: boolean; has_passkey: boolean; has_codes: boolean }[]
  >`
    select u.password_hash is not null as has_password,
           exists (select from authenticators a where a.user_id = u.id and a.confirmed_at is not null) as has_app,
           exists (select from passkeys p where p.user_id = u.id) as has_passkey,
           exists (select from recovery_codes r where r.user_id = u.id) as has_codes
      from users u where u.id = ${userId}`
  const { has_password = false, has_app = false, has_passkey = false, has_codes = false } = user ?? {}
  const hasSecondFactor = has_app || has_passkey
  const isPasswordEnough = !hasSecondFactor || has_app || has_codes
  const body: Omit<ReauthenticationRequired, 'detail'> = {
    methods: [
      ...(has_password && isPasswordEnough ? ['password' as const] : []),
      // Passkeys verify their user, so that they are both factors.
      ...(has_passkey ? ['passkey' as const] : []),
    ],
    second_factors: [
      ...(has_app ? ['authenticator' as const] : []),
      ...(hasSecondFactor && has_codes ? ['recovery_code' as const] : []),
    ],
  }
  return new ApiError('reauthentication-required', body)
}
