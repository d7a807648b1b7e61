/** Registers passkeys and logs in with them, in one call each. */
import type { logIn } from '@reelmark/contract/accounts.ts'
import {
  addPasskey,
  beginAddingPasskey,
  beginPasskeyLogin,
  logInWithPasskey,
} from '@reelmark/contract/passkeys.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { TamperOptions, TestAuthenticator } from './software-authenticator.fixture.ts'
import type { TestApp } from './test-app.ts'

/** Adds a passkey of `device` to the account of the signed-in user. */
export async function registerTestPasskey(
  site: TestApp,
  as: { access: string },
  device: TestAuthenticator,
  { name = 'Phone', lies: tampering = {} }: { name?: string; lies?: TamperOptions } = {},
): Promise<Reply<typeof addPasskey>> {
  const { ticket, options } = await site.call(beginAddingPasskey, {}, as)
  return site.call(addPasskey, { body: { ticket, credential: device.create(options, tampering), name } }, as)
}

/** Logs in with a passkey of `device`, without a username. */
export async function logInWithTestPasskey(
  site: TestApp,
  device: TestAuthenticator,
  tampering: TamperOptions = {},
  more: { remember?: boolean } = {},
): Promise<Reply<typeof logIn>> {
  const { ticket, options } = await site.call(beginPasskeyLogin, { body: {} })
  return site.call(logInWithPasskey, {
    body: { ticket, credential: device.get(options, tampering), ...more },
  })
}
