/** Each event of the security log is written, with who, what and from where, and without secrets. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAccessToken, deleteAccessToken } from '@reelmark/contract/access-tokens.ts'
import { logIn, logOut, refreshTokens, register } from '@reelmark/contract/accounts.ts'
import { exchangeConnectionCode } from '@reelmark/contract/connections.ts'
import { demoteUser, promoteUser, suspendUser, unsuspendUser } from '@reelmark/contract/sanctions.ts'
import { logInWithSecondFactor, renewRecoveryCodes } from '@reelmark/contract/second-factor.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { bootApp, type TestApp } from '../testing/test-app.ts'
import { freezeClock, passLoginFirstStep, setUpAuthenticator } from '../testing/test-second-factor.ts'
import { failedReply, signUp, signUpModerator, signUpOwner, type TestUser } from '../testing/test-users.ts'
import { hashOpaqueToken } from './auth/hash-token.ts'
import { logOperatorAction, securityEvents } from './security-log.ts'

let site: TestApp
let alice: TestUser
let mod: TestUser
let users = 0
beforeAll(async () => {
  site = await bootApp()
  alice = await signUp(site, 'alice')
  mod = await signUpModerator(site, 'mod')
})
afterAll(() => site.close())
afterEach(() => vi.useRealTimers())

const seen = new Set<unknown>()
/** Returns the security lines that `work` writes. */
async function linesOf(work: () => Promise<unknown>, on = site) {
  const before = on.log.length
  await work()
  // Lines are written after the response.
  await new Promise((resolve) => setImmediate(resolve))
  const lines = on.log.slice(before).filter(({ security }) => security === true)
  for (const { event } of lines) seen.add(event)
  return lines
}

/** Calls a path with a body that is refused or has no effect, as alice or as `by`. */
const send = (method: 'POST' | 'DELETE', url: string, payload: object = {}, by: TestUser | null = alice) =>
  site.app.inject({
    method,
    url: `/api${url}`,
    remoteAddress: '203.0.113.9',
    headers: by === null ? {} : { authorization: `Bearer ${by.access}` },
    ...(method === 'POST' ? { payload } : {}),
  })

test('a login is logged with the account that it succeeds or fails for, and nothing that was typed', async () => {
  const typed = { username: alice.email, password: alice.password }
  expect(await linesOf(() => send('POST', '/token/', typed, null))).toEqual([
    expect.objectContaining({
      level: 30,
      security: true,
      event: 'login',
      outcome: 'success',
      actor_id: alice.id,
      target_id: alice.id,
      address: '203.0.113.9',
      call: 'POST /token/',
      reqId: expect.any(String),
    }),
  ])
  const wrong = { username: alice.email, password: 'not the password' }
  expect(await linesOf(() => send('POST', '/token/', wrong, null))).toEqual([
    expect.objectContaining({
      level: 40,
      event: 'login',
      outcome: 'wrong-credentials',
      actor_id: null,
      target_id: alice.id,
    }),
  ])
  const unknown = { username: 'nobody@example.org', password: 'not the password' }
  expect(await linesOf(() => send('POST', '/token/', unknown, null))).toEqual([
    expect.objectContaining({
      event: 'login',
      outcome: 'wrong-credentials',
      actor_id: null,
      target_id: null,
    }),
  ])
})

test('a refresh token that is used again later is logged as a sign of a takeover', async () => {
  const { username, password } = alice
  const { refresh } = await site.call(logIn, { body: { username, password } })
  await site.call(refreshTokens, { body: { refresh } })
  await site.db`update sessions set rotated_at = now() - interval '1 minute' where user_id = ${alice.id}`
  const lines = await linesOf(() => failedReply(site.call(refreshTokens, { body: { refresh } })))
  expect(lines).toMatchObject([
    { event: 'refresh-token-reused', outcome: 'session-ended', target_id: alice.id },
    { event: 'refused', outcome: 'invalid-token' },
  ])
})

test('a code of a connection that is used again is logged as a sign of a takeover', async () => {
  const code = 'a used code'
  await site.db`
    insert into access_tokens (user_id, hash, hint, name, scopes, code_hash)
    values (${alice.id}, sha256('a token'), 'rmk_abcd', 'a program', '{read}', ${hashOpaqueToken(code)})`
  const body = {
    grant_type: 'authorization_code' as const,
    code,
    code_verifier: 'x'.repeat(43),
    client_id: 'a-program',
  }
  const lines = await linesOf(() => failedReply(site.call(exchangeConnectionCode, { body })))
  expect(lines).toMatchObject([
    { event: 'connection-code-reused', outcome: 'access-token-deleted', target_id: alice.id },
    { event: 'access-token-created', outcome: 'invalid-connection-code' },
  ])
})

test('a lockout is logged for logins that failed too often', async () => {
  const limited = await bootApp({ settings: { rateLimitScale: 1 } })
  try {
    const body = { username: 'bob', password: 'not the password' }
    const lines = await linesOf(async () => {
      for (let n = 0; n < 11; n += 1) await failedReply(limited.call(logIn, { body }))
    }, limited)
    expect(lines.at(-1)).toMatchObject({
      event: 'lockout',
      outcome: 'login-rate-limited',
      call: 'POST /token/',
    })
  } finally {
    await limited.close()
  }
})

test('registration, logout, roles and sanctions are logged with actor and target', async () => {
  const body = {
    username: 'carol',
    email: 'carol@example.org',
    password: alice.password,
    password2: alice.password,
  }
  expect(await linesOf(() => site.call(register, { body }))).toMatchObject([
    { event: 'registration', outcome: 'success' },
  ])
  const dave = await signUp(site, 'dave')
  const owner = await signUpOwner(site, 'owner')
  const params = { id: dave.id }
  const entries = await linesOf(async () => {
    await site.call(promoteUser, { params }, owner)
    await site.call(demoteUser, { params }, owner)
    await site.call(suspendUser, { params, body: { days: 3 } }, mod)
    await site.call(unsuspendUser, { params, body: {} }, mod)
    await send('POST', `/moderation/users/${dave.id}/ban/`, {}, mod)
    await send('POST', `/moderation/users/${dave.id}/unban/`, {}, mod)
  })
  expect(entries.map(({ event, actor_id, target_id }) => [event, actor_id, target_id])).toEqual([
    ...['role-changed', 'role-changed'].map((event) => [event, owner.id, dave.id]),
    ...['suspension', 'suspension-ended', 'ban', 'unban'].map((event) => [event, mod.id, dave.id]),
  ])
  const erin = await signUp(site, 'erin')
  expect(await linesOf(() => site.call(logOut, { body: { refresh: erin.refresh } }))).toMatchObject([
    { event: 'logout', outcome: 'success' },
  ])
})

test('a call without a token, with a forged one, or without the right is logged as refused', async () => {
  const refusals = await linesOf(async () => {
    await send('POST', '/bookmarks/', {}, null)
    await send('POST', '/bookmarks/', {}, { ...alice, access: 'forged' })
    await send('POST', '/moderation/rules/', {}, alice)
  })
  expect(refusals.map(({ event, outcome, call }) => [event, outcome, call])).toEqual([
    ['refused', 'unauthenticated', 'POST /bookmarks/'],
    ['refused', 'invalid-token', 'POST /bookmarks/'],
    ['refused', 'forbidden', 'POST /moderation/rules/'],
  ])
})

test('access tokens, second factors and recovery codes are logged', async () => {
  const frank = await signUp(site, `frank${++users}`)
  freezeClock()
  const lines = await linesOf(async () => {
    const { id } = await site.call(
      createAccessToken,
      { body: { name: 'A script', scopes: ['read'], expires_in_days: 7 } },
      frank,
    )
    await site.call(deleteAccessToken, { params: { id } }, frank)
    const { recovery_codes } = await setUpAuthenticator(site, frank)
    const { ticket } = await passLoginFirstStep(site, frank)
    const verification_code = recovery_codes[0] ?? ''
    await site.call(logInWithSecondFactor, { body: { ticket, verification_code } })
    await site.call(renewRecoveryCodes, {}, frank)
    await send('DELETE', '/auth/authenticator/', {}, frank)
  })
  expect(lines.map(({ event, outcome }) => [event, outcome])).toEqual([
    ['access-token-created', 'success'],
    ['access-token-deleted', 'success'],
    ['account-changed', 'success'],
    ['authenticator-added', 'success'],
    ['login', 'second-factor-required'],
    ['recovery-code-used', 'success'],
    ['login', 'success'],
    ['recovery-codes-renewed', 'success'],
    ['authenticator-removed', 'success'],
  ])
  expect(lines.every(({ actor_id, target_id }) => [actor_id, target_id].includes(frank.id))).toBe(true)
})

test.each([
  ['session-ended', 'DELETE', '/auth/sessions/999999/', 'not-found'],
  ['reauthentication', 'POST', '/auth/reauthenticate/', 'invalid'],
  ['username-changed', 'POST', '/auth/username-change/', 'invalid'],
  ['password-changed', 'POST', '/auth/password-change/', 'invalid'],
  ['password-reset-requested', 'POST', '/auth/password-reset/', 'invalid'],
  ['password-reset', 'POST', '/auth/password-reset-confirm/', 'invalid'],
  ['email-change-requested', 'POST', '/auth/email-change/', 'invalid'],
  ['email-confirmed', 'POST', '/auth/email-confirmation/', 'invalid'],
  ['passkey-added', 'POST', '/auth/passkeys/', 'invalid'],
  ['passkey-removed', 'DELETE', '/auth/passkeys/999999/', 'not-found'],
  ['identity-linked', 'POST', '/auth/identities/', 'invalid'],
  ['identity-unlinked', 'DELETE', '/auth/identities/999999/', 'not-found'],
  ['account-deleted', 'POST', '/auth/account-delete/', 'invalid'],
] as const)(
  'a failed attempt is logged as %s with the code of the error',
  async (event, method, url, outcome) => {
    expect(await linesOf(() => send(method, url))).toMatchObject([{ event, outcome, address: '203.0.113.9' }])
  },
)

test('a decision about a report is logged', async () => {
  expect(
    await linesOf(() => send('POST', '/moderation/approve/', { report_id: 999_999 }, mod)),
  ).toMatchObject([{ event: 'report-decided', outcome: 'not-found', actor_id: mod.id }])
})

test('an action of the operator is logged', async () => {
  const [line] = await linesOf(async () =>
    logOperatorAction(site.app.deps.log, { command: 'promote', target: 'alice', outcome: 'success' }),
  )
  expect(line).toMatchObject({
    event: 'operator-action',
    actor_id: 'operator',
    target: 'alice',
    call: 'promote',
  })
})

test('every event was written by a test above, and the operating guide describes exactly these events', () => {
  expect([...seen].sort()).toEqual([...securityEvents].sort())
  const guide = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
  const [, section = ''] = guide.split('### Security log')
  const [table = ''] = section.split('\n### ')
  const described = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, event]) => event))
  expect(described.sort()).toEqual([...securityEvents].sort())
})

test('no line contains an e-mail address, a password, a token or a code', () => {
  const text = site.log
    .filter(({ security }) => security === true)
    .map((line) => JSON.stringify(line))
    .join('\n')
  expect(text).not.toMatch(/@|eyJ|long walk|not the password/)
  expect(text).not.toContain(alice.access)
  expect(text).not.toContain(alice.refresh)
})
