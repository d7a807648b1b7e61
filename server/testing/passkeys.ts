/** What people do with passkeys, in one call each. */
import type { logIn } from '@reelmark/contract/accounts.ts'
import type { Reply } from '@reelmark/contract/endpoint.ts'
import { addPasskey, beginPasskey, beginPasskeyLogin, logInByPasskey } from '@reelmark/contract/passkeys.ts'
import type { TestApp } from './app.ts'
import type { AuthenticatorInTest, Lies } from './authenticator.fixture.ts'

/** Adds a passkey that `device` makes to the account of whoever is signed in. */
export async function addPasskeyOf(
  site: TestApp,
  as: { access: string },
  device: AuthenticatorInTest,
  { name = 'Phone', lies = {} }: { name?: string; lies?: Lies } = {},
): Promise<Reply<typeof addPasskey>> {
  const { ticket, options } = await site.call(beginPasskey, {}, as)
  return site.call(addPasskey, { body: { ticket, credential: device.create(options, lies), name } }, as)
}

/** Signs in by what `device` keeps, with nothing typed. */
export async function logInWith(
  site: TestApp,
  device: AuthenticatorInTest,
  lies: Lies = {},
  more: { remember?: boolean } = {},
): Promise<Reply<typeof logIn>> {
  const { ticket, options } = await site.call(beginPasskeyLogin, { body: {} })
  return site.call(logInByPasskey, { body: { ticket, credential: device.get(options, lies), ...more } })
}
