import { logIn } from '@reelmark/contract/accounts.ts'
import { errors } from '@reelmark/contract/errors.ts'
import {
  beginOidcLogin,
  getSignInWays,
  listIdentities,
  registerByOidc,
  removeIdentity,
} from '@reelmark/contract/identities.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/app.ts'
import { createAuthenticator } from '../../testing/authenticator.fixture.ts'
import { openBrowser, signInThrough } from '../../testing/oidc-browser.ts'
import { type OidcProviderInTest, startOidcProvider } from '../../testing/oidc-provider.ts'
import { mailsTo } from '../../testing/outbox.ts'
import { addPasskeyOf } from '../../testing/passkeys.ts'
import { failure, type PersonInTest, signUp } from '../../testing/people.ts'

let site: TestApp
let provider: OidcProviderInTest
let alice: PersonInTest
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

const answer = (name: keyof typeof errors) => ({ status: errors[name][0], body: { detail: errors[name][1] } })

/** Somebody who has an account by the other site's word alone. */
async function register(username = login): Promise<{ access: string; username: string }> {
  const { body } = await signInThrough(site, provider, login)
  return site.call(registerByOidc, { body: { ticket: body.ticket, username } })
}

test('the way in is named where it is set up, and is not there where it is not', async () => {
  const host = new URL(provider.oidc.issuer).host
  expect(await site.call(getSignInWays, {})).toEqual({ oidc: { name: host } })
  const without = await bootApp()
  expect(await without.call(getSignInWays, {})).toEqual({ oidc: null })
  expect(await failure(without.call(beginOidcLogin, {}))).toEqual(answer('not-found'))
  expect(await openBrowser(without).comeBack({ state: 'x', code: 'x' })).toEqual(answer('not-found'))
  await without.close()
})

describe('somebody who was never here', () => {
  test('chooses a username and has an account with a vault, without a password', async () => {
    const told = await signInThrough(site, provider, login)
    expect(told).toEqual({
      status: 409,
      body: {
        detail: errors['username-needed'][1],
        ticket: expect.any(String),
        suggested_username: login,
        email: `${login}@example.org`,
      },
    })
    const { ticket } = told.body
    const made = await site.call(registerByOidc, { body: { ticket, username: `Z${login}` } })
    expect(made.username).toBe(`Z${login}`)
    const [user] = await site.db`
      select u.email, u.password_hash, c.name as vault from users u join collections c on c.user_id = u.id
       where u.username = ${made.username}`
    expect(user).toEqual({ email: `${login}@example.org`, password_hash: null, vault: 'My Vault' })
    const again = await failure(site.call(registerByOidc, { body: { ticket, username: 'Another' } }))
    expect(again).toEqual(answer('bad-ticket'))
    await site.call(getProfile, { params: { username: made.username } })

    const back = await signInThrough(site, provider, login)
    expect(back).toMatchObject({ status: 200, body: { username: made.username } })
    const { results } = await site.call(listIdentities, { query: {} }, back.body)
    expect(results).toMatchObject([
      { issuer: new URL(provider.oidc.issuer).host, email: `${login}@example.org` },
    ])
  })

  test('keeps the ticket where the username is taken, and may choose another', async () => {
    const { body } = await signInThrough(site, provider, login)
    const take = (username: string) => site.call(registerByOidc, { body: { ticket: body.ticket, username } })
    expect(await failure(take(alice.username.toUpperCase()))).toEqual({
      status: 400,
      body: { username: ['A user with that username already exists.'] },
    })
    expect((await take(login)).username).toBe(login)
  })

  test('is made once, of many at once', async () => {
    const { body } = await signInThrough(site, provider, login)
    const many = await Promise.allSettled(
      [1, 2, 3, 4].map((n) =>
        site.call(registerByOidc, { body: { ticket: body.ticket, username: `${login}${n}` } }),
      ),
    )
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [first, second] = await Promise.all([1, 2].map(() => signInThrough(site, provider, `${login}x`)))
    await site.call(registerByOidc, { body: { ticket: first?.body.ticket, username: `${login}a` } })
    const late = site.call(registerByOidc, { body: { ticket: second?.body.ticket, username: `${login}b` } })
    expect(await failure(late)).toEqual(answer('email-known'))
    provider.people.set(`${login}x`, { email: 'moved@example.org' })
    const third = await signInThrough(site, provider, `${login}x`)
    expect(third.status).toBe(200)
  })

  test('is not made twice where their e-mail changed in between', async () => {
    const first = await signInThrough(site, provider, login)
    provider.people.set(login, { email: `${login}@elsewhere.example` })
    const second = await signInThrough(site, provider, login)
    await site.call(registerByOidc, { body: { ticket: first.body.ticket, username: login } })
    const late = site.call(registerByOidc, { body: { ticket: second.body.ticket, username: `${login}b` } })
    expect(await failure(late)).toEqual(answer('identity-taken'))
    expect(await failure(site.call(getProfile, { params: { username: `${login}b` } }))).toMatchObject({
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
    provider.people.set(login, claims)
    const { status, body } = await signInThrough(site, provider, login)
    expect(status).toBe(409)
    expect(body.suggested_username).toMatch(expected)
    expect(body.suggested_username.length).toBeLessThanOrEqual(30)
  })

  test('is offered one that is free', async () => {
    provider.people.set(login, { preferred_username: alice.username.toUpperCase() })
    const { body } = await signInThrough(site, provider, login)
    expect(body.suggested_username).toBe(`${alice.username.toUpperCase()}2`)
  })

  test('is not let into an account that has their e-mail', async () => {
    provider.people.set(login, { email: alice.email.toUpperCase() })
    expect(await signInThrough(site, provider, login)).toEqual(answer('email-known'))
  })

  test.each([undefined, null, '', 'no address', 7, `${'x'.repeat(250)}@example.org`])(
    'is told that an e-mail is missing where the site says %o',
    async (email) => {
      provider.people.set(login, { email })
      const { status, body } = await signInThrough(site, provider, login)
      expect(status).toBe(400)
      expect(body.detail).toContain('did not tell your email address')
    },
  )
})

test('e-mail and names come from the userinfo endpoint where the id token has none', async () => {
  const strict = await startStrict()
  const { body } = await signInThrough(strict.site, strict.provider, 'nina')
  expect(body).toMatchObject({ suggested_username: 'nina', email: 'nina@example.org' })
  await strict.close()
})

let strictProvider: OidcProviderInTest
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
    await addPasskeyOf(site, zoe, phone)
    const again = await signInThrough(site, provider, login, null, { remember: false })
    expect(again).toMatchObject({ status: 200, body: { username: login } })
    const [session] = await site.db`
      select s.remember from sessions s join users u on u.id = s.user_id
       where u.username = ${login} order by s.id desc limit 1`
    expect(session).toEqual({ remember: false })
  })

  test('is not for the banned', async () => {
    await register()
    await site.db`update users set banned_at = now() where username = ${login}`
    expect(await signInThrough(site, provider, login)).toEqual(answer('banned'))
  })

  test('by a password is not possible without one', async () => {
    await register()
    const call = site.call(logIn, { body: { username: login, password: 'of nobody at all' } })
    expect(await failure(call)).toEqual(answer('wrong-credentials'))
  })

  test('happens once for each way back, of many at once too', async () => {
    await register()
    const browser = openBrowser(site)
    const returned = await provider.visit(await browser.leave(), login)
    const many = await Promise.all(Array.from({ length: 6 }, () => browser.comeBack(returned)))
    expect(many.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    expect(await browser.comeBack(returned)).toEqual(answer('sign-in-refused'))
  })

  test('is refused in a browser that did not leave for it, which spoils nothing', async () => {
    await register()
    const hers = openBrowser(site)
    const returned = await provider.visit(await hers.leave(), login)
    const other = openBrowser(site)
    expect(await other.comeBack(returned)).toEqual(answer('sign-in-refused'))
    await other.leave()
    expect(await other.comeBack(returned)).toEqual(answer('sign-in-refused'))
    expect((await hers.comeBack(returned)).status).toBe(200)
  })

  test('is refused with a state or a code made up, and with none', async () => {
    const browser = openBrowser(site)
    const returned = await provider.visit(await browser.leave(), login)
    expect(await browser.comeBack({ ...returned, state: 'x'.repeat(43) })).toEqual(answer('sign-in-refused'))
    expect((await browser.comeBack({ code: 'x' })).status).toBe(400)
    expect(await browser.comeBack({ ...returned, code: 'x'.repeat(43) })).toEqual(answer('sign-in-refused'))

    const nothing = await provider.visit(await browser.leave(), login)
    expect(await browser.comeBack({ state: nothing.state })).toEqual(answer('sign-in-refused'))
    const elsewhere = await provider.visit(await browser.leave(), login)
    const iss = 'https://evil.example'
    expect(await browser.comeBack({ ...elsewhere, iss })).toEqual(answer('sign-in-refused'))
  })

  test('is refused where they turned away over there', async () => {
    const browser = openBrowser(site)
    const returned = await provider.turnAway(await browser.leave())
    expect(returned.error).toBe('access_denied')
    expect(await browser.comeBack(returned)).toEqual(answer('sign-in-refused'))
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
    const linked = await signInThrough(site, provider, login, alice)
    expect(linked).toMatchObject({ status: 201, body: { email: `${login}@example.org` } })
    const { body } = await signInThrough(site, provider, login)
    expect(body.username).toBe(alice.username)
    const { count, results } = await site.call(listIdentities, { query: {} }, alice)
    expect(count).toBe(1)
    expect(results[0]?.last_used_at).not.toBeNull()
  })

  test('is of one account', async () => {
    await signInThrough(site, provider, login, alice)
    const bob = await signUp(site, `bob${people}`)
    expect(await signInThrough(site, provider, login, bob)).toEqual(answer('identity-taken'))
    expect(await signInThrough(site, provider, login, alice)).toEqual(answer('identity-taken'))
  })

  test('is for whom it was begun, and no sign-in, nor the other way round', async () => {
    const bob = await signUp(site, `bob${people}`)
    const browser = openBrowser(site)
    const returned = await provider.visit(await browser.leave(alice), login)
    expect(await browser.comeBack(returned, bob)).toEqual(answer('sign-in-refused'))
    expect(await browser.comeBack(returned)).toEqual(answer('sign-in-refused'))
    const other = await provider.visit(await browser.leave(), login)
    expect(await browser.comeBack(other, alice)).toEqual(answer('sign-in-refused'))
  })

  test('asks to be confirmed', async () => {
    await site.db`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${alice.id}`
    await expect(openBrowser(site).leave(alice)).rejects.toThrow('403')
    expect(await openBrowser(site).comeBack({ state: 'x' }, alice)).toMatchObject({ status: 403 })
    expect(await failure(site.call(removeIdentity, { params: { id: 1 } }, alice))).toMatchObject({
      status: 403,
    })
  })

  test('ends by unlinking, which is nobody else’s to do', async () => {
    const { body } = await signInThrough(site, provider, login, alice)
    const bob = await signUp(site, `bob${people}`)
    const params = { id: body.id }
    expect(await failure(site.call(removeIdentity, { params }, bob))).toEqual(answer('not-found'))
    await site.call(removeIdentity, { params }, alice)
    expect((await site.call(listIdentities, { query: {} }, alice)).count).toBe(0)
    expect((await signInThrough(site, provider, login)).status).toBe(409)
  })

  test('stays where there is no other way in', async () => {
    const zoe = await register()
    const { results } = await site.call(listIdentities, { query: {} }, zoe)
    const params = { id: results[0]?.id ?? 0 }
    expect(await failure(site.call(removeIdentity, { params }, zoe))).toEqual(answer('last-way-in'))
    await addPasskeyOf(site, zoe, createAuthenticator())
    await site.call(removeIdentity, { params }, zoe)
  })

  test('and unlinking are told by mail', async () => {
    const working = await bootApp({ work: true, settings: { oidc: provider.oidc } })
    try {
      const bob = await signUp(working, 'bob')
      const { body } = await signInThrough(working, provider, login, bob)
      await working.call(removeIdentity, { params: { id: body.id } }, bob)
      const texts = (await mailsTo(working, bob.email, 2)).map(({ text }) => text).join()
      expect(texts).toContain(`linked a sign-in of another site (${new URL(provider.oidc.issuer).host})`)
      expect(texts).toContain('unlinked a sign-in of another site')
    } finally {
      await working.close()
    }
  })
})
