/** What a user must do to prove their identity again before a sensitive change. */
import type { ReauthenticationRequired } from '@reelmark/contract/account-settings.ts'
import type { Db } from '../database/database.ts'
import { ApiError } from '../http/errors.ts'

/** Which sign-in methods and second factors a user has. */
interface Factors {
  password: boolean
  authenticator: boolean
  passkey: boolean
  recovery_code: boolean
}

/** Returns the factors of a user. An unknown user has none. */
export async function readFactors(db: Db, userId: number | null): Promise<Factors> {
  const [factors] = await db<Factors[]>`
    select u.password_hash is not null as password,
           exists (select from authenticators a where a.user_id = u.id and a.confirmed_at is not null) as authenticator,
           exists (select from passkeys p where p.user_id = u.id) as passkey,
           exists (select from recovery_codes r where r.user_id = u.id) as recovery_code
      from users u where u.id = ${userId}`
  return factors ?? { password: false, authenticator: false, passkey: false, recovery_code: false }
}

/** Returns the error (403) that lists the methods with which a user can reauthenticate. */
export async function reauthenticationRequired(db: Db, userId: number | null): Promise<ApiError> {
  const { password, authenticator, passkey, recovery_code } = await readFactors(db, userId)
  const hasSecondFactor = authenticator || passkey
  const isPasswordEnough = !hasSecondFactor || authenticator || recovery_code
  const body: Omit<ReauthenticationRequired, 'detail'> = {
    methods: [
      ...(password && isPasswordEnough ? ['password' as const] : []),
      // Passkeys verify their user, so that they are both factors.
      ...(passkey ? ['passkey' as const] : []),
    ],
    second_factors: [
      ...(authenticator ? ['authenticator' as const] : []),
      ...(hasSecondFactor && recovery_code ? ['recovery_code' as const] : []),
    ],
  }
  return new ApiError('reauthentication-required', body)
}
