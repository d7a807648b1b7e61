import { logIn } from '@reelmark/contract/accounts.ts'
import {
  beginOidcLogin,
  deleteIdentity,
  getSignInMethods,
  listIdentities,
  registerWithOidc,
} from '@reelmark/contract/identities.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBrowser, signInWithOidc } from '../../../testing/oidc-browser.ts'
import { startOidcProvider, type TestOidcProvider } from '../../../testing/oidc-provider.ts'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { createAuthenticator } from '../../../testing/software-authenticator.fixture.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { registerTestPasskey } from '../../../testing/test-passkeys.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let provider: TestOidcProvider
let alice: TestUser
let people = 0
/** Of somebody whom nobody has seen here yet. */
let login: string
beforeAll(async () => {
  provider = await startOidcProvider()
  site = await bootApp({ settings: { oidc: provider.oidc } })
})
afterAll(async () => {
  await site.close()
  await provider.close()
})
beforeEach(async () => {
  people += 1
  login = `zoe${people}`
  alice = await signUp(site, `alice${people}`)
})

const answer = (name: keyof typeof errors) => ({
  status: errors[name][0],
  body: { detail: errors[name][1], code: name },
})

/** Somebody who has an account by the other site's word alone. */
async function register(username = login): Promise<{ access: string; username: string }> {
  const { body } = await signInWithOidc(site, provider, login)
  return site.call(registerWithOidc, { body: { ticket: body.ticket, username } })
}

test('the way in is named where it is set up, and is not there where it is not', async () => {
  const host = new URL(provider.oidc.issuer).host
  expect(await site.call(getSignInMethods, {})).toEqual({ oidc: { name: host } })
  const without = await bootApp()
  expect(await without.call(getSignInMethods, {})).toEqual({ oidc: null })
  expect(await failedReply(without.call(beginOidcLogin, {}))).toEqual(answer('not-found'))
  expect(await openBrowser(without).completeRedirect({ state: 'x', code: 'x' })).toEqual(answer('not-found'))
  await without.close()
})

describe('somebody who was never here', () => {
  test('chooses a username and has an account with a vault, without a password', async () => {
    const told = await signInWithOidc(site, provider, login)
    expect(told).toEqual({
      status: 409,
      body: {
        detail: errors['username-required'][1],
        code: 'username-required',
        ticket: expect.any(String),
        suggested_username: login,
        email: `${login}@example.org`,
      },
    })
    const { ticket } = told.body
    const created = await site.call(registerWithOidc, { body: { ticket, username: `Z${login}` } })
    expect(created.username).toBe(`Z${login}`)
    const [user] = await site.db`
      select u.email, u.password_hash, c.name as vault from users u join collections c on c.user_id = u.id
       where u.username = ${created.username}`
    expect(user).toEqual({ email: `${login}@example.org`, password_hash: null, vault: 'My Vault' })
    const again = await failedReply(site.call(registerWithOidc, { body: { ticket, username: 'Another' } }))
    expect(again).toEqual(answer('ticket-expired'))
    await site.call(getProfile, { params: { username: created.username } })

    const back = await signInWithOidc(site, provider, login)
    expect(back).toMatchObject({ status: 200, body: { username: created.username } })
    const { results } = await site.call(listIdentities, { query: {} }, back.body)
    expect(results).toMatchObject([
      { issuer: new URL(provider.oidc.issuer).host, email: `${login}@example.org` },
    ])
  })

  test('keeps the ticket where the username is taken, and may choose another', async () => {
    const { body } = await signInWithOidc(site, provider, login)
    const take = (username: string) =>
      site.call(registerWithOidc, { body: { ticket: body.ticket, username } })
    expect(await failedReply(take(alice.username.toUpperCase()))).toEqual({
      status: 400,
      body: { code: 'invalid', username: ['A user with that username already exists.'] },
    })
    expect((await take(login)).username).toBe(login)
  })

  test('is made once, of many at once', async () => {
    const { body } = await signInWithOidc(site, provider, login)
    const many = await Promise.allSettled(
      [1, 2, 3, 4].map((n) =>
        site.call(registerWithOidc, { body: { ticket: body.ticket, username: `${login}${n}` } }),
      ),
    )
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [first, second] = await Promise.all([1, 2].map(() => signInWithOidc(site, provider, `${login}x`)))
    await site.call(registerWithOidc, { body: { ticket: first?.body.ticket, username: `${login}a` } })
    const late = site.call(registerWithOidc, { body: { ticket: second?.body.ticket, username: `${login}b` } })
    expect(await failedReply(late)).toEqual(answer('email-taken'))
    provider.users.set(`${login}x`, { email: 'moved@example.org' })
    const third = await signInWithOidc(site, provider, `${login}x`)
    expect(third.status).toBe(200)
  })

  test('is not made twice where their e-mail changed in between', async () => {
    const first = await signInWithOidc(site, provider, login)
    provider.users.set(login, { email: `${login}@elsewhere.example` })
    const second = await signInWithOidc(site, provider, login)
    await site.call(registerWithOidc, { body: { ticket: first.body.ticket, username: login } })
    const late = site.call(registerWithOidc, { body: { ticket: second.body.ticket, username: `${login}b` } })
    expect(await failedReply(late)).toEqual(answer('identity-taken'))
    expect(await failedReply(site.call(getProfile, { params: { username: `${login}b` } }))).toMatchObject({
      status: 404,
    })
  })

  test.each([
    [{ preferred_username: 'Zoë Müller' }, /^Zoe_Muller\d*$/],
    [{ preferred_username: 'someone@corp.example' }, /^someone\d*$/],
    [{ preferred_username: '—', name: 'Ana-Maria O’Neil' }, /^Ana-Maria_O_Neil\d*$/],
    [{ preferred_username: '李', name: '', email: 'li@example.org' }, /^member\d*$/],
    [{ preferred_username: 'x'.repeat(500) }, /^x{20,30}\d*$/],
    [{ preferred_username: 7, name: { first: 'Zoe' }, email: 'mail.of.zoe@example.org' }, /^mail\.of\.zoe$/],
  ])('is offered a username made of what the site says: %o', async (claims, expected) => {
    provider.users.set(login, claims)
    const { status, body } = await signInWithOidc(site, provider, login)
    expect(status).toBe(409)
    expect(body.suggested_username).toMatch(expected)
    expect(body.suggested_username.length).toBeLessThanOrEqual(30)
  })

  test('is offered one that is free', async () => {
    provider.users.set(login, { preferred_username: alice.username.toUpperCase() })
    const { body } = await signInWithOidc(site, provider, login)
    expect(body.suggested_username).toBe(`${alice.username.toUpperCase()}2`)
  })

  test('is not let into an account that has their e-mail', async () => {
    provider.users.set(login, { email: alice.email.toUpperCase() })
    expect(await signInWithOidc(site, provider, login)).toEqual(answer('email-taken'))
  })

  test.each([undefined, null, '', 'no address', 7, `${'x'.repeat(250)}@example.org`])(
    'is told that an e-mail is missing where the site says %o',
    async (email) => {
      provider.users.set(login, { email })
      const { status, body } = await signInWithOidc(site, provider, login)
      expect(status).toBe(400)
      expect(body.detail).toContain("didn't share your email address")
    },
  )
})

test('e-mail and names come from the userinfo endpoint where the id token has none', async () => {
  const strict = await startStrict()
  const { body } = await signInWithOidc(strict.site, strict.provider, 'nina')
  expect(body).toMatchObject({ suggested_username: 'nina', email: 'nina@example.org' })
  await strict.close()
})

let strictProvider: TestOidcProvider
beforeAll(async () => {
  strictProvider = await startOidcProvider({ inIdToken: false })
})
async function startStrict() {
  const strict = await bootApp({ settings: { oidc: strictProvider.oidc } })
  const close = async () => {
    await strict.close()
    await strictProvider.close()
  }
  return { site: strict, provider: strictProvider, close }
}

describe('signing in', () => {
  test('is whole: no second step of ours follows', async () => {
    const zoe = await register()
    const phone = createAuthenticator()
    await registerTestPasskey(site, zoe, phone)
    const again = await signInWithOidc(site, provider, login, null, { remember: false })
    expect(again).toMatchObject({ status: 200, body: { username: login } })
    const [session] = await site.db`
      select s.remember from sessions s join users u on u.id = s.user_id
       where u.username = ${login} order by s.id desc limit 1`
    expect(session).toEqual({ remember: false })
  })

  test('is not for the banned', async () => {
    await register()
    await site.db`update users set banned_at = now() where username = ${login}`
    expect(await signInWithOidc(site, provider, login)).toEqual(answer('banned'))
  })

  test('by a password is not possible without one', async () => {
    await register()
    const call = site.call(logIn, { body: { username: login, password: 'of nobody at all' } })
    expect(await failedReply(call)).toEqual(answer('wrong-credentials'))
  })

  test('happens once for each way back, of many at once too', async () => {
    await register()
    const browser = openBrowser(site)
    const returned = await provider.visit(await browser.beginRedirect(), login)
    const many = await Promise.all(Array.from({ length: 6 }, () => browser.completeRedirect(returned)))
    expect(many.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    expect(await browser.completeRedirect(returned)).toEqual(answer('sign-in-refused'))
  })

  test('is refused in a browser that did not leave for it, which spoils nothing', async () => {
    await register()
    const hers = openBrowser(site)
    const returned = await provider.visit(await hers.beginRedirect(), login)
    const other = openBrowser(site)
    expect(await other.completeRedirect(returned)).toEqual(answer('sign-in-refused'))
    await other.beginRedirect()
    expect(await other.completeRedirect(returned)).toEqual(answer('sign-in-refused'))
    expect((await hers.completeRedirect(returned)).status).toBe(200)
  })

  test('is refused with a state or a code made up, and with none', async () => {
    const browser = openBrowser(site)
    const returned = await provider.visit(await browser.beginRedirect(), login)
    expect(await browser.completeRedirect({ ...returned, state: 'x'.repeat(43) })).toEqual(
      answer('sign-in-refused'),
    )
    expect((await browser.completeRedirect({ code: 'x' })).status).toBe(400)
    expect(await browser.completeRedirect({ ...returned, code: 'x'.repeat(43) })).toEqual(
      answer('sign-in-refused'),
    )

    const nothing = await provider.visit(await browser.beginRedirect(), login)
    expect(await browser.completeRedirect({ state: nothing.state })).toEqual(answer('sign-in-refused'))
    const elsewhere = await provider.visit(await browser.beginRedirect(), login)
    const iss = 'https://evil.example'
    expect(await browser.completeRedirect({ ...elsewhere, iss })).toEqual(answer('sign-in-refused'))
  })

  test('is refused where they turned away over there', async () => {
    const browser = openBrowser(site)
    const returned = await provider.denyAccess(await browser.beginRedirect())
    expect(returned.error).toBe('access_denied')
    expect(await browser.completeRedirect(returned)).toEqual(answer('sign-in-refused'))
  })

  test('keeps what ties the browser where no script gets at it', async () => {
    const reply = await site.app.inject({ method: 'POST', url: '/api/token/oidc/start/' })
    const [set] = reply.cookies
    expect(set).toMatchObject({ name: 'oidc', httpOnly: true, sameSite: 'Lax', path: '/api/', maxAge: 600 })
    expect(set?.secure).toBeUndefined()
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

test('on a site with TLS what ties the browser goes over TLS alone', async () => {
  const publicUrl = 'https://reelmark.example'
  const secure = await bootApp({ settings: { oidc: provider.oidc, publicUrl } })
  const reply = await secure.app.inject({ method: 'POST', url: '/api/token/oidc/start/' })
  expect(reply.cookies[0]).toMatchObject({ name: 'oidc', secure: true })
  expect(new URL(reply.json().url).searchParams.get('redirect_uri')).toBe(`${publicUrl}/login/oidc`)
  await secure.close()
})

describe('linking', () => {
  test('lets them in by the other site from then on', async () => {
    const linked = await signInWithOidc(site, provider, login, alice)
    expect(linked).toMatchObject({ status: 201, body: { email: `${login}@example.org` } })
    const { body } = await signInWithOidc(site, provider, login)
    expect(body.username).toBe(alice.username)
    const { count, results } = await site.call(listIdentities, { query: {} }, alice)
    expect(count).toBe(1)
    expect(results[0]?.last_used_at).not.toBeNull()
  })

  test('is of one account', async () => {
    await signInWithOidc(site, provider, login, alice)
    const bob = await signUp(site, `bob${people}`)
    expect(await signInWithOidc(site, provider, login, bob)).toEqual(answer('identity-taken'))
    expect(await signInWithOidc(site, provider, login, alice)).toEqual(answer('identity-taken'))
  })

  test('is for whom it was begun, and no sign-in, nor the other way round', async () => {
    const bob = await signUp(site, `bob${people}`)
    const browser = openBrowser(site)
    const returned = await provider.visit(await browser.beginRedirect(alice), login)
    expect(await browser.completeRedirect(returned, bob)).toEqual(answer('sign-in-refused'))
    expect(await browser.completeRedirect(returned)).toEqual(answer('sign-in-refused'))
    const other = await provider.visit(await browser.beginRedirect(), login)
    expect(await browser.completeRedirect(other, alice)).toEqual(answer('sign-in-refused'))
  })

  test('asks to be confirmed', async () => {
    await site.db`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${alice.id}`
    await expect(openBrowser(site).beginRedirect(alice)).rejects.toThrow('403')
    expect(await openBrowser(site).completeRedirect({ state: 'x' }, alice)).toMatchObject({ status: 403 })
    expect(await failedReply(site.call(deleteIdentity, { params: { id: 1 } }, alice))).toMatchObject({
      status: 403,
    })
  })

  test('ends by unlinking, which is nobody else’s to do', async () => {
    const { body } = await signInWithOidc(site, provider, login, alice)
    const bob = await signUp(site, `bob${people}`)
    const params = { id: body.id }
    expect(await failedReply(site.call(deleteIdentity, { params }, bob))).toEqual(answer('not-found'))
    await site.call(deleteIdentity, { params }, alice)
    expect((await site.call(listIdentities, { query: {} }, alice)).count).toBe(0)
    expect((await signInWithOidc(site, provider, login)).status).toBe(409)
  })

  test('stays where there is no other way in', async () => {
    const zoe = await register()
    const { results } = await site.call(listIdentities, { query: {} }, zoe)
    const params = { id: results[0]?.id ?? 0 }
    expect(await failedReply(site.call(deleteIdentity, { params }, zoe))).toEqual(
      answer('last-sign-in-method'),
    )
    await registerTestPasskey(site, zoe, createAuthenticator())
    await site.call(deleteIdentity, { params }, zoe)
  })

  test('and unlinking are told by mail', async () => {
    const working = await bootApp({ work: true, settings: { oidc: provider.oidc } })
    try {
      const bob = await signUp(working, 'bob')
      const { body } = await signInWithOidc(working, provider, login, bob)
      await working.call(deleteIdentity, { params: { id: body.id } }, bob)
      const texts = (await waitForMailsTo(working, bob.email, 2)).map(({ text }) => text).join()
      expect(texts).toContain(
        `An account on another site was linked to your account (${new URL(provider.oidc.issuer).host})`,
      )
      expect(texts).toContain('An account on another site was unlinked from your account')
    } finally {
      await working.close()
    }
  })
})
