/** Changing the username: who may, which names, how often, and what happens at the same moment. */
import { changeUsername, deleteAccount, getAccountSecurity } from '@reelmark/contract/account-settings.ts'
import { logIn, register } from '@reelmark/contract/accounts.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { getUserHistory } from '@reelmark/contract/sanctions.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { hashPassword } from '../../../core/auth/passwords.ts'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'
import { findAvailableUsername } from '../identities/queries.ts'
import { createUserWithoutPassword } from './sign-in-methods.ts'
import { updateUsername } from './username-queries.ts'

const site = await useEmptySite({ work: true })
let userCount = 0
let alice: TestUser
let bob: TestUser
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `Alice${userCount}`)
  bob = await signUp(site, `bob${userCount}`)
})

const rename = (user: TestUser, username: string, password: string | undefined = user.password) =>
  site.call(changeUsername, { body: { username, ...(password === '' ? {} : { password }) } }, user)
const registerAs = (username: string) =>
  site.call(register, {
    body: {
      username,
      email: `${crypto.randomUUID()}@example.org`,
      password: alice.password,
      password2: alice.password,
    },
  })
const readUsername = async (user: TestUser) => {
  const [row] = await site.db<{ username: string }[]>`select username from users where id = ${user.id}`
  return row?.username
}
const listFormer = async (user: TestUser) => {
  const rows = await site.db<{ username: string }[]>`
    select username from former_usernames where user_id = ${user.id} order by changed_at desc`
  return rows.map(({ username }) => username)
}
/** Makes the latest change old enough for another one. */
const endWait = (user: TestUser) => site.db`
  update former_usernames set changed_at = changed_at - interval '31 days' where user_id = ${user.id}`
const unavailable = { status: 400, body: { code: 'invalid', username: ["This username isn't available."] } }
const exists = { username: ['A user with that username already exists.'], code: 'invalid' }

describe('a change', () => {
  test('takes effect at once, and the former name no longer logs in', async () => {
    const name = `Anna${userCount}`
    expect(await rename(alice, name)).toEqual({
      username: name,
      username_changeable_at: expect.stringMatching(/^\d{4}-/),
    })
    expect(await site.call(getProfile, { params: { username: name } }, alice)).toMatchObject({
      username: name,
      email: alice.email,
    })
    const { password } = alice
    expect(await site.call(logIn, { body: { username: name, password } })).toMatchObject({ username: name })
    expect(await site.call(logIn, { body: { username: alice.email, password } })).toMatchObject({
      username: name,
    })
    expect(
      await failedReply(site.call(logIn, { body: { username: alice.username, password } })),
    ).toMatchObject({
      status: 401,
      body: { code: 'wrong-credentials' },
    })
    expect(await listFormer(alice)).toEqual([alice.username])
  })

  test('is mailed to the confirmed address', async () => {
    await rename(alice, `Anna${userCount}`)
    const mails = await waitForMailsTo(site, alice.email, 1)
    expect(mails[0]?.text).toContain('The former username no longer works for logging in')
    expect(JSON.stringify(mails)).not.toMatch(/anna/i)
  })

  test('requires the right password', async () => {
    const name = `Anna${userCount}`
    expect(await failedReply(rename(alice, name, 'nothing like it'))).toEqual({
      status: 400,
      body: { code: 'invalid', password: ['Incorrect password. Try again.'] },
    })
    expect(await failedReply(rename(alice, name, ''))).toEqual({
      status: 400,
      body: { code: 'invalid', password: ['Password is required.'] },
    })
    expect(await readUsername(alice)).toBe(alice.username)
  })

  test('of a user without a password requires a recent authentication', async () => {
    await site.db`update users set password_hash = null where id = ${alice.id}`
    await site.db`update sessions set authenticated_at = now() - interval '16 minutes' where user_id = ${alice.id}`
    const name = `Anna${userCount}`
    expect(await failedReply(rename(alice, name, ''))).toMatchObject({
      status: 403,
      body: { code: 'reauthentication-required' },
    })
    await site.db`update sessions set authenticated_at = now() where user_id = ${alice.id}`
    expect(await rename(alice, name, '')).toMatchObject({ username: name })
  })

  test('is refused while the user is suspended', async () => {
    await site.db`update users set suspended_until = now() + interval '1 day' where id = ${alice.id}`
    expect(await failedReply(rename(alice, `Anna${userCount}`))).toMatchObject({
      status: 403,
      body: { code: 'suspended', until: expect.any(String) },
    })
    expect(await readUsername(alice)).toBe(alice.username)
  })

  test('to the same name does nothing', async () => {
    expect(await rename(alice, alice.username)).toEqual({
      username: alice.username,
      username_changeable_at: null,
    })
    expect(await listFormer(alice)).toEqual([])
  })

  test('is listed for moderators, who also find the user by the former name', async () => {
    const mod = await signUpModerator(site, `judge${userCount}`)
    await rename(alice, `Anna${userCount}`)
    const history = await site.call(getUserHistory, { params: { username: alice.username } }, mod)
    expect(history).toMatchObject({
      user: { username: `Anna${userCount}` },
      former_usernames: [{ username: alice.username, changed_at: expect.any(String) }],
    })
  })
})

describe('the limit of one change in 30 days', () => {
  test('names the date of the next one, which the settings show too', async () => {
    const { username_changeable_at } = await rename(alice, `Anna${userCount}`)
    const date = new Date(username_changeable_at ?? 0)
    expect(date.getTime() - Date.now()).toBeGreaterThan(29.9 * 86_400_000)
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(date)
    expect(await failedReply(rename(alice, `Anne${userCount}`))).toEqual({
      status: 400,
      body: { code: 'invalid', username: [`You can change your username again on ${day}.`] },
    })
    expect(await site.call(getAccountSecurity, {}, alice)).toMatchObject({ username_changeable_at })
    await endWait(alice)
    expect(await site.call(getAccountSecurity, {}, alice)).toMatchObject({ username_changeable_at: null })
    await rename(alice, `Anne${userCount}`)
    expect(await listFormer(alice)).toEqual([`Anna${userCount}`, alice.username])
  })

  test('does not apply to a change of case, which gives up no name', async () => {
    await rename(alice, `Anna${userCount}`)
    expect(await rename(alice, `ANNA${userCount}`)).toMatchObject({ username: `ANNA${userCount}` })
    expect(await readUsername(alice)).toBe(`ANNA${userCount}`)
    expect(await listFormer(alice)).toEqual([alice.username])
  })

  test('holds for changes at the same moment', async () => {
    const names = ['a', 'b', 'c', 'd'].map((letter) => `${letter}nna${userCount}`)
    const outcomes = await Promise.allSettled(names.map((name) => rename(alice, name)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await listFormer(alice)).toEqual([alice.username])
  })
})

describe('a name', () => {
  test.each(['ab', '-anna', 'anna!', 'a'.repeat(31), '', 'änna'])('such as %j is refused', async (name) => {
    const reply = await failedReply(rename(alice, name))
    expect([reply.status, Object.keys(reply.body as object)]).toEqual([400, ['username', 'code']])
  })

  test('that is reserved, taken or a former one of another user gets the same answer', async () => {
    await rename(bob, `robert${userCount}`)
    const mod = await signUpModerator(site, `inspector${userCount}`)
    const names = [
      'admin',
      'Reelmark',
      `ROBERT${userCount}`,
      `Bob${userCount}`,
      mod.username.replace('o', '0'),
    ]
    for (const name of names) expect(await failedReply(rename(alice, name)), name).toEqual(unavailable)
    expect(await readUsername(alice)).toBe(alice.username)
  })

  test('like the password is refused', async () => {
    const password = `Anastasia${userCount}`
    await site.db`update users set password_hash = ${await hashPassword(password)} where id = ${alice.id}`
    expect(await failedReply(rename(alice, `anastasia${userCount}`, password))).toMatchObject({
      status: 400,
      body: { username: ['Your password is too similar to this username. Change your password first.'] },
    })
    expect(await rename(alice, `Anna${userCount}`, password)).toMatchObject({ username: `Anna${userCount}` })
  })

  test('that another user gave up cannot be registered, in any way', async () => {
    await rename(bob, `robert${userCount}`)
    expect(await failedReply(registerAs(`BOB${userCount}`))).toEqual({ status: 400, body: exists })
    const withoutPassword = site.db.begin((tx) =>
      createUserWithoutPassword(tx, site.app.deps, {
        username: bob.username,
        email: `other${userCount}@example.org`,
        is_email_confirmed: true,
      }),
    )
    await expect(withoutPassword).rejects.toMatchObject({ body: { username: exists.username } })
    expect(await findAvailableUsername(site.db, [bob.username, `free${userCount}`])).toBe(`free${userCount}`)
  })

  test('can be taken back by its user, and the other one is then a former one', async () => {
    await rename(alice, `Anna${userCount}`)
    await endWait(alice)
    expect(await rename(alice, alice.username)).toMatchObject({ username: alice.username })
    expect(await listFormer(alice)).toEqual([`Anna${userCount}`])
    expect(await failedReply(registerAs(`anna${userCount}`))).toMatchObject({ body: exists })
  })

  test('becomes free when its user has five later ones', async () => {
    for (let n = 1; n <= 6; n++) {
      await rename(alice, `anna${userCount}-${n}`)
      await endWait(alice)
    }
    expect(await listFormer(alice)).toEqual([5, 4, 3, 2, 1].map((n) => `anna${userCount}-${n}`))
    expect(await registerAs(alice.username)).toMatchObject({ username: alice.username })
  })

  test('becomes free when the account is deleted', async () => {
    await rename(alice, `Anna${userCount}`)
    await site.call(deleteAccount, { body: { password: alice.password } }, alice)
    expect(await site.db`select from former_usernames where user_id = ${alice.id}`).toHaveLength(0)
    for (const name of [alice.username, `Anna${userCount}`])
      expect(await registerAs(name)).toMatchObject({ username: name })
  })
})

describe('at the same moment', () => {
  test('one of several users gets a name', async () => {
    const others = await Promise.all(['c', 'd', 'e'].map((name) => signUp(site, `${name}us${userCount}`)))
    const users = [alice, bob, ...others]
    const replies = await Promise.allSettled(users.map((user) => rename(user, `wanted${userCount}`)))
    expect(replies.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const [n, reply] of replies.entries()) {
      if (reply.status === 'fulfilled') continue
      expect(await failedReply(Promise.reject(reply.reason))).toEqual(unavailable)
      expect(await readUsername(users[n] as TestUser)).toBe(users[n]?.username)
    }
  })

  test('two users cannot exchange their names', async () => {
    const replies = await Promise.allSettled([rename(alice, bob.username), rename(bob, alice.username)])
    for (const reply of replies) {
      expect(reply.status).toBe('rejected')
      if (reply.status === 'rejected')
        expect(await failedReply(Promise.reject(reply.reason))).toEqual(unavailable)
    }
  })

  test.each([
    ['a registration', () => failedReply(registerAs(alice.username)), exists],
    ['another change', () => failedReply(rename(bob, alice.username)), unavailable.body],
  ])('%s does not get the name that a change gives up', async (_kind, take, body) => {
    const isReleased = Promise.withResolvers<void>()
    const isTaking = Promise.withResolvers<void>()
    const change = site.db.begin(async (tx) => {
      await updateUsername(tx, alice.id, `Anna${userCount}`)
      isReleased.resolve()
      await isTaking.promise
    })
    await isReleased.promise
    const taken = take()
    await waitUntilBlocked()
    isTaking.resolve()
    await change
    expect(await taken).toMatchObject({ status: 400, body })
  })

  test('a name that its user takes back is not registered', async () => {
    await rename(alice, `Anna${userCount}`)
    await endWait(alice)
    const outcomes = await Promise.allSettled([rename(alice, alice.username), registerAs(alice.username)])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })
})

/** Waits until a statement waits for the lock of another transaction. */
function waitUntilBlocked(): Promise<unknown> {
  return vi.waitUntil(
    async () => {
      const blocked = await site.db`
        select from pg_stat_activity
         where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
      return blocked.length > 0
    },
    { timeout: 30_000 },
  )
}
