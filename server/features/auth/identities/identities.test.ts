import { getAccountSecurity } from '@reelmark/contract/account-settings.ts'
import { logIn } from '@reelmark/contract/accounts.ts'
import {
  beginOidcLogin,
  getSignInMethods,
  listIdentities,
  registerWithOidc,
} from '@reelmark/contract/identities.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBrowser, registerThroughOidc, signInWithOidc } from '../../../testing/oidc-browser.ts'
import { startOidcProvider, type TestOidcProvider } from '../../../testing/oidc-provider.ts'
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

test('the provider is listed if it is configured; otherwise its endpoints return 404', async () => {
  const host = new URL(provider.oidc.issuer).host
  expect(await site.call(getSignInMethods, {})).toEqual({ oidc: { name: host } })
  const siteWithoutProvider = await bootApp()
  expect(await siteWithoutProvider.call(getSignInMethods, {})).toEqual({ oidc: null })
  expect(await failedReply(siteWithoutProvider.call(beginOidcLogin, {}))).toEqual(errorReply('not-found'))
  expect(await openBrowser(siteWithoutProvider).completeRedirect({ state: 'x', code: 'x' })).toEqual(
    errorReply('not-found'),
  )
  await siteWithoutProvider.close()
})

describe('a new user of the provider', () => {
  test('chooses a username and gets an account with My Vault and no password', async () => {
    const firstReply = await signInWithOidc(site, provider, login)
    expect(firstReply).toEqual({
      status: 409,
      body: {
        detail: errors['username-required'][1],
        code: 'username-required',
        ticket: expect.any(String),
        suggested_username: login,
        email: `${login}@example.org`,
      },
    })
    const { ticket } = firstReply.body
    const created = await site.call(registerWithOidc, { body: { ticket, username: `Z${login}` } })
    expect(created.username).toBe(`Z${login}`)
    const [user] = await site.db`
      select u.email, u.password_hash, c.name as vault from users u join collections c on c.user_id = u.id
       where u.username = ${created.username}`
    expect(user).toEqual({ email: `${login}@example.org`, password_hash: null, vault: 'My Vault' })
    const secondAttempt = await failedReply(
      site.call(registerWithOidc, { body: { ticket, username: 'Another' } }),
    )
    expect(secondAttempt).toEqual(errorReply('ticket-expired'))
    await site.call(getProfile, { params: { username: created.username } })

    const secondReply = await signInWithOidc(site, provider, login)
    expect(secondReply).toMatchObject({ status: 200, body: { username: created.username } })
    const { results } = await site.call(listIdentities, { query: {} }, secondReply.body)
    expect(results).toMatchObject([
      { issuer: new URL(provider.oidc.issuer).host, email: `${login}@example.org` },
    ])
  })

  test('can choose another username if the first is taken', async () => {
    const { body } = await signInWithOidc(site, provider, login)
    const registerAs = (username: string) =>
      site.call(registerWithOidc, { body: { ticket: body.ticket, username } })
    expect(await failedReply(registerAs('Adm1n'))).toEqual({
      status: 400,
      body: { code: 'invalid', username: ["This username isn't available."] },
    })
    expect(await failedReply(registerAs(alice.username.toUpperCase()))).toEqual({
      status: 400,
      body: { code: 'invalid', username: ['A user with that username already exists.'] },
    })
    expect((await registerAs(login)).username).toBe(login)
  })

  test('gets one account for several concurrent requests', async () => {
    const { body } = await signInWithOidc(site, provider, login)
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map((n) =>
        site.call(registerWithOidc, { body: { ticket: body.ticket, username: `${login}${n}` } }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [first, second] = await Promise.all([1, 2].map(() => signInWithOidc(site, provider, `${login}x`)))
    await site.call(registerWithOidc, { body: { ticket: first?.body.ticket, username: `${login}a` } })
    const lateCall = site.call(registerWithOidc, {
      body: { ticket: second?.body.ticket, username: `${login}b` },
    })
    expect(await failedReply(lateCall)).toEqual(errorReply('email-taken'))
    provider.users.set(`${login}x`, { email: 'moved@example.org' })
    const third = await signInWithOidc(site, provider, `${login}x`)
    expect(third.status).toBe(200)
  })

  test('gets one account even if their e-mail address changed in between', async () => {
    const first = await signInWithOidc(site, provider, login)
    provider.users.set(login, { email: `${login}@elsewhere.example` })
    const second = await signInWithOidc(site, provider, login)
    await site.call(registerWithOidc, { body: { ticket: first.body.ticket, username: login } })
    const lateCall = site.call(registerWithOidc, {
      body: { ticket: second.body.ticket, username: `${login}b` },
    })
    expect(await failedReply(lateCall)).toEqual(errorReply('identity-taken'))
    expect(await failedReply(site.call(getProfile, { params: { username: `${login}b` } }))).toMatchObject({
      status: 404,
    })
  })

  test('has a confirmed address only if the provider states that it is verified', async () => {
    for (const [n, [email_verified, isConfirmed]] of (
      [
        [true, true],
        [false, false],
        ['true', false],
        [undefined, false],
      ] as const
    ).entries()) {
      const name = `${login}v${n}`
      provider.users.set(name, { email_verified })
      const { body } = await signInWithOidc(site, provider, name)
      const session = await site.call(registerWithOidc, { body: { ticket: body.ticket, username: name } })
      const { email, is_email_confirmed } = await site.call(getAccountSecurity, {}, session)
      expect([email, is_email_confirmed]).toEqual([`${name}@example.org`, isConfirmed])
      const mails = await site.db`
        select from jobs.job where name = 'confirm-email' and data->>'email' = ${`${name}@example.org`}`
      expect(mails).toHaveLength(isConfirmed ? 0 : 1)
    }
  })

  test('does not learn from an unverified address whether another account has it', async () => {
    const replies = []
    for (const [n, email] of [alice.email, `free${userCount}@example.org`].entries()) {
      provider.users.set(`${login}u${n}`, { email, email_verified: false })
      const { status, body } = await signInWithOidc(site, provider, `${login}u${n}`)
      const { ticket, email: _, suggested_username: __, ...rest } = body
      replies.push({ status, rest })
      await site.call(registerWithOidc, { body: { ticket, username: `${login}u${n}` } })
    }
    expect(replies[1]).toEqual(replies[0])
    expect(replies[0]?.rest.code).toBe('username-required')
  })

  test.each([
    [{ preferred_username: 'Zoë Müller' }, /^Zoe_Muller\d*$/],
    [{ preferred_username: 'someone@corp.example' }, /^someone\d*$/],
    [{ preferred_username: '—', name: 'Ana-Maria O’Neil' }, /^Ana-Maria_O_Neil\d*$/],
    [{ preferred_username: '李', name: '', email: 'li@example.org' }, /^member\d*$/],
    [{ preferred_username: 'admin', name: 'Reelmark', email: 'lea.roth@example.org' }, /^lea\.roth$/],
    [{ preferred_username: 'x'.repeat(500) }, /^x{20,30}\d*$/],
    [{ preferred_username: 7, name: { first: 'Zoe' }, email: 'mail.of.zoe@example.org' }, /^mail\.of\.zoe$/],
  ])('is offered a username derived from the claims %o', async (claims, expected) => {
    provider.users.set(login, claims)
    const { status, body } = await signInWithOidc(site, provider, login)
    expect(status).toBe(409)
    expect(body.suggested_username).toMatch(expected)
    expect(body.suggested_username.length).toBeLessThanOrEqual(30)
  })

  test('is offered a username that is free', async () => {
    provider.users.set(login, { preferred_username: alice.username.toUpperCase() })
    const { body } = await signInWithOidc(site, provider, login)
    expect(body.suggested_username).toBe(`${alice.username.toUpperCase()}2`)
  })

  test('is refused if an account has their e-mail address', async () => {
    provider.users.set(login, { email: alice.email.toUpperCase() })
    expect(await signInWithOidc(site, provider, login)).toEqual(errorReply('email-taken'))
  })

  test.each([undefined, null, '', 'no address', 7, `${'x'.repeat(250)}@example.org`])(
    'gets an error if the provider sends %o as e-mail address',
    async (email) => {
      provider.users.set(login, { email })
      const { status, body } = await signInWithOidc(site, provider, login)
      expect(status).toBe(400)
      expect(body.detail).toContain("didn't share your email address")
    },
  )
})

test('e-mail address and names are read from the userinfo endpoint if the id token lacks them', async () => {
  const strict = await bootStrictSite()
  const { body } = await signInWithOidc(strict.site, strict.provider, 'nina')
  expect(body).toMatchObject({ suggested_username: 'nina', email: 'nina@example.org' })
  await strict.close()
})

let strictProvider: TestOidcProvider
beforeAll(async () => {
  strictProvider = await startOidcProvider({ inIdToken: false })
})
async function bootStrictSite() {
  const strict = await bootApp({ settings: { oidc: strictProvider.oidc } })
  const close = async () => {
    await strict.close()
    await strictProvider.close()
  }
  return { site: strict, provider: strictProvider, close }
}

describe('signing in with the provider', () => {
  test('requires no second factor of this site', async () => {
    const zoe = await registerThroughOidc(site, provider, login)
    const phone = createAuthenticator()
    await registerTestPasskey(site, zoe, phone)
    const secondAttempt = await signInWithOidc(site, provider, login, null, { remember: false })
    expect(secondAttempt).toMatchObject({ status: 200, body: { username: login } })
    const [session] = await site.db`
      select s.remember from sessions s join users u on u.id = s.user_id
       where u.username = ${login} order by s.id desc limit 1`
    expect(session).toEqual({ remember: false })
  })

  test('is refused to banned users', async () => {
    await registerThroughOidc(site, provider, login)
    await site.db`update users set banned_at = now() where username = ${login}`
    expect(await signInWithOidc(site, provider, login)).toEqual(errorReply('banned'))
  })

  test('leaves login by password impossible for an account without one', async () => {
    await registerThroughOidc(site, provider, login)
    const call = site.call(logIn, { body: { username: login, password: 'any password' } })
    expect(await failedReply(call)).toEqual(errorReply('wrong-credentials'))
  })

  test('succeeds once per redirect, also with concurrent requests', async () => {
    await registerThroughOidc(site, provider, login)
    const browser = openBrowser(site)
    const returned = await provider.visit(await browser.beginRedirect(), login)
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => browser.completeRedirect(returned)))
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    expect(await browser.completeRedirect(returned)).toEqual(errorReply('sign-in-refused'))
  })

  test('is refused in another browser than the one that started it, without effect on the first', async () => {
    await registerThroughOidc(site, provider, login)
    const ownBrowser = openBrowser(site)
    const returned = await provider.visit(await ownBrowser.beginRedirect(), login)
    const otherBrowser = openBrowser(site)
    expect(await otherBrowser.completeRedirect(returned)).toEqual(errorReply('sign-in-refused'))
    await otherBrowser.beginRedirect()
    expect(await otherBrowser.completeRedirect(returned)).toEqual(errorReply('sign-in-refused'))
    expect((await ownBrowser.completeRedirect(returned)).status).toBe(200)
  })

  test('is refused with an invalid or missing state or code', async () => {
    const browser = openBrowser(site)
    const returned = await provider.visit(await browser.beginRedirect(), login)
    expect(await browser.completeRedirect({ ...returned, state: 'x'.repeat(43) })).toEqual(
      errorReply('sign-in-refused'),
    )
    expect((await browser.completeRedirect({ code: 'x' })).status).toBe(400)
    expect(await browser.completeRedirect({ ...returned, code: 'x'.repeat(43) })).toEqual(
      errorReply('sign-in-refused'),
    )

    const withoutCode = await provider.visit(await browser.beginRedirect(), login)
    expect(await browser.completeRedirect({ state: withoutCode.state })).toEqual(
      errorReply('sign-in-refused'),
    )
    const wrongIssuer = await provider.visit(await browser.beginRedirect(), login)
    const iss = 'https://evil.example'
    expect(await browser.completeRedirect({ ...wrongIssuer, iss })).toEqual(errorReply('sign-in-refused'))
  })

  test('is refused if the user denied access at the provider', async () => {
    const browser = openBrowser(site)
    const returned = await provider.denyAccess(await browser.beginRedirect())
    expect(returned.error).toBe('access_denied')
    expect(await browser.completeRedirect(returned)).toEqual(errorReply('sign-in-refused'))
  })

  test('binds the browser with a cookie that scripts cannot read', async () => {
    const reply = await site.app.inject({ method: 'POST', url: '/api/token/oidc/start/' })
    const [cookie] = reply.cookies
    expect(cookie).toMatchObject({
      name: 'oidc',
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
      maxAge: 600,
    })
    expect(cookie?.secure).toBeUndefined()
    const query = new URL(reply.json().url).searchParams
    expect(Object.fromEntries(query)).toMatchObject({
      scope: 'openid email profile',
      redirect_uri: 'http://localhost:3000/login/oidc',
      code_challenge_method: 'S256',
      response_type: 'code',
    })
    expect(query.get('nonce')).not.toBe(query.get('state'))
  })
})

test('over TLS the cookie is set for this host only', async () => {
  const publicUrl = 'https://reelmark.example'
  const secure = await bootApp({ settings: { oidc: provider.oidc, publicUrl } })
  const reply = await secure.app.inject({ method: 'POST', url: '/api/token/oidc/start/' })
  expect(reply.cookies[0]).toMatchObject({ name: '__Host-oidc', secure: true, path: '/' })
  expect(reply.cookies[0]?.domain).toBeUndefined()
  expect(new URL(reply.json().url).searchParams.get('redirect_uri')).toBe(`${publicUrl}/login/oidc`)
  await secure.close()
})
