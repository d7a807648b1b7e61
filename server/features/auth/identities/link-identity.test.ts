/** Linking an identity to an existing account, and unlinking it. */
import { deleteAccount } from '@reelmark/contract/account-settings.ts'
import { deleteIdentity, listIdentities } from '@reelmark/contract/identities.ts'
import { identitiesMax } from '@reelmark/contract/protocol/limits.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openBrowser, registerThroughOidc, signInWithOidc } from '../../../testing/oidc-browser.ts'
import { startOidcProvider } from '../../../testing/oidc-provider.ts'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { createAuthenticator } from '../../../testing/software-authenticator.fixture.ts'
import { bootApp } from '../../../testing/test-app.ts'
import { registerTestPasskey } from '../../../testing/test-passkeys.ts'
import { errorReply, failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'

const provider = await startOidcProvider()
afterAll(() => provider.close())
const site = await useEmptySite({ settings: { oidc: provider.oidc } })
let alice: TestUser
let userCount = 0
/** A user of the provider without an account on this site, new for each test. */
let login: string
beforeEach(async () => {
  userCount += 1
  login = `zoe${userCount}`
  alice = await signUp(site, `alice${userCount}`)
})

describe('linking an identity', () => {
  test('lets the user sign in with the provider', async () => {
    const linked = await signInWithOidc(site, provider, login, alice)
    expect(linked).toMatchObject({ status: 201, body: { email: `${login}@example.org` } })
    const { body } = await signInWithOidc(site, provider, login)
    expect(body.username).toBe(alice.username)
    const { count, results } = await site.call(listIdentities, { query: {} }, alice)
    expect(count).toBe(1)
    expect(results[0]?.last_used_at).not.toBeNull()
  })

  test('is limited, so that a review of all sign-in methods stays complete', async () => {
    await site.db`
      insert into identities (user_id, issuer, subject)
      select ${alice.id}, 'https://id.example.org', 'limit ' || ${alice.id} || n
        from generate_series(1, ${identitiesMax}) n`
    expect(await signInWithOidc(site, provider, login, alice)).toEqual(errorReply('limit-reached'))
  })

  test('is refused if the identity is already linked', async () => {
    await signInWithOidc(site, provider, login, alice)
    const bob = await signUp(site, `bob${userCount}`)
    expect(await signInWithOidc(site, provider, login, bob)).toEqual(errorReply('identity-taken'))
    expect(await signInWithOidc(site, provider, login, alice)).toEqual(errorReply('identity-taken'))
  })

  test('can only be completed by the user who began it, and not as a sign-in', async () => {
    const bob = await signUp(site, `bob${userCount}`)
    const browser = openBrowser(site)
    const returned = await provider.visit(await browser.beginRedirect(alice), login)
    expect(await browser.completeRedirect(returned, bob)).toEqual(errorReply('sign-in-refused'))
    expect(await browser.completeRedirect(returned)).toEqual(errorReply('sign-in-refused'))
    const otherBrowser = await provider.visit(await browser.beginRedirect(), login)
    expect(await browser.completeRedirect(otherBrowser, alice)).toEqual(errorReply('sign-in-refused'))
  })

  test('requires a recently authenticated session', async () => {
    await site.db`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${alice.id}`
    await expect(openBrowser(site).beginRedirect(alice)).rejects.toThrow('403')
    expect(await openBrowser(site).completeRedirect({ state: 'x' }, alice)).toMatchObject({ status: 403 })
    expect(await failedReply(site.call(deleteIdentity, { params: { id: 1 } }, alice))).toMatchObject({
      status: 403,
    })
  })

  test('can be undone by its owner only', async () => {
    const { body } = await signInWithOidc(site, provider, login, alice)
    const bob = await signUp(site, `bob${userCount}`)
    const params = { id: body.id }
    expect(await failedReply(site.call(deleteIdentity, { params }, bob))).toEqual(errorReply('not-found'))
    await site.call(deleteIdentity, { params }, alice)
    expect((await site.call(listIdentities, { query: {} }, alice)).count).toBe(0)
    expect((await signInWithOidc(site, provider, login)).status).toBe(409)
  })

  test('cannot be undone if it is the only sign-in method', async () => {
    const zoe = await registerThroughOidc(site, provider, login)
    const { results } = await site.call(listIdentities, { query: {} }, zoe)
    const params = { id: results[0]?.id ?? 0 }
    expect(await failedReply(site.call(deleteIdentity, { params }, zoe))).toEqual(
      errorReply('last-sign-in-method'),
    )
    await registerTestPasskey(site, zoe, createAuthenticator())
    await site.call(deleteIdentity, { params }, zoe)
  })

  test('sends mails when an identity is linked and unlinked', async () => {
    const workingSite = await bootApp({ work: true, settings: { oidc: provider.oidc } })
    try {
      const bob = await signUp(workingSite, 'bob')
      const { body } = await signInWithOidc(workingSite, provider, login, bob)
      await workingSite.call(deleteIdentity, { params: { id: body.id } }, bob)
      const texts = (await waitForMailsTo(workingSite, bob.email, 2)).map(({ text }) => text).join()
      expect(texts).toContain('An account on another site was linked to your account.')
      expect(texts).toContain('An account on another site was unlinked from your account')
    } finally {
      await workingSite.close()
    }
  })
})

describe('a user without a password', () => {
  const remove = (user: { access: string }, password?: string) =>
    site.call(deleteAccount, { body: password === undefined ? {} : { password } }, user)
  const expireLogin = (username: string) =>
    site.db`update sessions set authenticated_at = now() - interval '1 hour'
             where user_id = (select id from users where username = ${username})`

  test('deletes the account after a recent login with the provider, which then creates a new one', async () => {
    const zoe = await registerThroughOidc(site, provider, login)
    await expireLogin(zoe.username)
    expect(await failedReply(remove(zoe))).toMatchObject({
      status: 403,
      body: { code: 'reauthentication-required', methods: [], second_factors: [] },
    })
    expect((await failedReply(remove(zoe, 'a password that does not exist'))).status).toBe(400)
    const { body } = await signInWithOidc(site, provider, login)
    expect(body.username).toBe(zoe.username)
    await remove(body)
    expect((await failedReply(site.call(listIdentities, { query: {} }, body))).status).toBe(401)
    expect((await signInWithOidc(site, provider, login)).body.code).toBe('username-required')
  })

  test('needs the password once one is set', async () => {
    const zoe = await registerThroughOidc(site, provider, login)
    await site.db`update users set password_hash = (select password_hash from users where id = ${alice.id})
                   where username = ${zoe.username}`
    expect(await failedReply(remove(zoe))).toEqual({
      status: 400,
      body: { code: 'invalid', password: ['Password is required.'] },
    })
    await remove(zoe, alice.password)
  })
})
