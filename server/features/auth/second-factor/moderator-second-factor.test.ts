import { createAccessToken } from '@reelmark/contract/access-tokens.ts'
import { getAccountSecurity } from '@reelmark/contract/account-settings.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCases } from '@reelmark/contract/cases.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { deleteAuthenticator, logInWithSecondFactor } from '@reelmark/contract/second-factor.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { signInWithOidc } from '../../../testing/oidc-browser.ts'
import { startOidcProvider, type TestOidcProvider } from '../../../testing/oidc-provider.ts'
import { createAuthenticator } from '../../../testing/software-authenticator.fixture.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { registerTestPasskey } from '../../../testing/test-passkeys.ts'
import { freezeClock, setUpAuthenticator } from '../../../testing/test-second-factor.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
beforeAll(async () => {
  site = await bootApp({ settings: { moderatorSecondFactor: true } })
})
afterAll(() => site.close())
afterEach(() => {
  vi.useRealTimers()
})

const readCases = (as: { access: string }) => site.call(listCases, { query: {} }, as)
const refused = {
  status: 403,
  body: {
    code: 'moderator-needs-second-factor',
    detail: 'Moderators need two-step verification. Set it up in Settings → Security.',
    error: 'Moderators need two-step verification. Set it up in Settings → Security.',
  },
}

describe('a moderator without a second factor', () => {
  test('is refused by moderation endpoints until an authenticator app is set up, and again without it', async () => {
    const mod = await signUpModerator(site, 'mod')
    expect(await failedReply(readCases(mod))).toEqual(refused)
    expect(await site.call(getAccountSecurity, {}, mod)).toMatchObject({ needs_second_factor: true })
    freezeClock()
    await setUpAuthenticator(site, mod)
    expect(await readCases(mod)).toMatchObject({ results: [] })
    expect(await site.call(getAccountSecurity, {}, mod)).toMatchObject({ needs_second_factor: false })
    await site.call(deleteAuthenticator, {}, mod)
    expect(await failedReply(readCases(mod))).toEqual(refused)
  })

  test('may moderate with a passkey', async () => {
    const mod = await signUpModerator(site, 'mod-with-passkey')
    await registerTestPasskey(site, mod, createAuthenticator())
    expect(await readCases(mod)).toMatchObject({ results: [] })
  })

  test('may not moderate with an app whose setup was not confirmed', async () => {
    const mod = await signUpModerator(site, 'mod-begun')
    await site.db`insert into authenticators (user_id, secret) values (${mod.id}, '\\x00')`
    expect(await failedReply(readCases(mod))).toEqual(refused)
  })

  test('sees and does only what other users do, and is still shown as a moderator', async () => {
    const [mod, owner] = [await signUpModerator(site, 'mod-as-user'), await signUp(site, 'owner')]
    const { id, video } = await saveFilm(site, owner, 'hidden-film')
    await site.db`update videos set status = 'hidden' where id = ${video.id}`
    const loadHidden = (as: TestUser) => site.call(getBookmark, { params: { id } }, as)
    expect((await failedReply(loadHidden(mod))).status).toBe(404)
    await registerTestPasskey(site, mod, createAuthenticator())
    expect(await loadHidden(mod)).toMatchObject({ id })
    const profile = await site.call(getProfile, { params: { username: 'mod-as-user' } })
    expect(profile.is_moderator).toBe(true)
  })

  test('has no moderation rights through an access token', async () => {
    const mod = await signUpModerator(site, 'mod-with-token')
    const request = { name: 'Script', scopes: ['moderate' as const], expires_in_days: null }
    expect(await failedReply(site.call(createAccessToken, { body: request }, mod))).toEqual({
      status: 400,
      body: {
        code: 'invalid',
        scopes: ['Set up two-step verification before you make a token that may moderate.'],
      },
    })
    freezeClock()
    await setUpAuthenticator(site, mod)
    const { token } = await site.call(createAccessToken, { body: request }, mod)
    expect(await readCases({ access: token })).toMatchObject({ results: [] })
    await site.call(deleteAuthenticator, {}, mod)
    expect(await failedReply(readCases({ access: token }))).toEqual(refused)
  })
})

describe('a user who logs in through an identity provider', () => {
  let provider: TestOidcProvider
  let linked: TestApp
  beforeAll(async () => {
    provider = await startOidcProvider()
    linked = await bootApp({ settings: { moderatorSecondFactor: true, oidc: provider.oidc } })
  })
  afterAll(async () => {
    await linked.close()
    await provider.close()
  })

  test('needs as a moderator the second factor of this site, whatever the provider asked for', async () => {
    const mod = await signUpModerator(linked, 'mod')
    await signInWithOidc(linked, provider, 'mod', mod)
    freezeClock()
    const { recovery_codes } = await setUpAuthenticator(linked, mod)
    const { status, body } = await signInWithOidc(linked, provider, 'mod')
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { code: 'second-factor-required', methods: ['authenticator', 'recovery_code'] },
    })
    const wrong = { ticket: body.ticket, verification_code: '000000' }
    expect((await failedReply(linked.call(logInWithSecondFactor, { body: wrong }))).status).toBe(400)
    const right = { ...wrong, verification_code: recovery_codes[0] ?? '' }
    const session = await linked.call(logInWithSecondFactor, { body: right })
    expect(await linked.call(listCases, { query: {} }, session)).toMatchObject({ results: [] })
  })

  test('is logged in as a moderator without a second factor, and may not moderate', async () => {
    const mod = await signUpModerator(linked, 'mod-without')
    await signInWithOidc(linked, provider, 'mod-without', mod)
    const { status, body } = await signInWithOidc(linked, provider, 'mod-without')
    expect(status).toBe(200)
    expect(await failedReply(linked.call(listCases, { query: {} }, body))).toEqual(refused)
  })

  test('needs no second step while not a moderator', async () => {
    const user = await signUp(linked, 'ordinary')
    await signInWithOidc(linked, provider, 'ordinary', user)
    freezeClock()
    await setUpAuthenticator(linked, user)
    expect((await signInWithOidc(linked, provider, 'ordinary')).status).toBe(200)
  })
})

test('a user who is not a moderator is refused without a hint to the second factor', async () => {
  const user = await signUp(site, 'user')
  expect(await failedReply(readCases(user))).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})

test('a site that turned the requirement off lets moderators work without a second factor', async () => {
  const relaxed = await bootApp({ settings: { moderatorSecondFactor: false } })
  const mod = await signUpModerator(relaxed, 'mod')
  expect(await relaxed.call(listCases, { query: {} }, mod)).toMatchObject({ results: [] })
  await relaxed.close()
})
