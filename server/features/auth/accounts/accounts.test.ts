import { logIn, refreshTokens, register } from '@reelmark/contract/accounts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword, setHashCost } from '../../../core/auth/passwords.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp } from '../../../testing/test-users.ts'

setHashCost()
let site: TestApp
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())

const password = 'a long walk in the rain'
const registration = (username: string, overrides: object = {}) => ({
  body: { username, email: `${username}@example.org`, password, password2: password, ...overrides },
})
const tooSimilarText =
  'This password is too similar to your username, your email address or the name of this site.'
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  site.app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe('registration', () => {
  test('creates an account with the collection My Vault and the channel General', async () => {
    const user = await site.call(register, registration('alice'))
    expect(user).toEqual({ id: expect.any(Number), username: 'alice', email: 'alice@example.org' })
    const destinations = await site.db`
      select c.name as collection, c.access, h.name as channel
        from collections c join channels h on h.collection_id = c.id where c.user_id = ${user.id}`
    expect([...destinations]).toEqual([{ collection: 'My Vault', access: 'public', channel: 'General' }])
  })

  test('stores the password only as an Argon2id hash', async () => {
    await site.call(register, registration('hashed'))
    const [row] = await site.db`select password_hash from users where username = 'hashed'`
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('refuses a taken username, whatever its case', async () => {
    await site.call(register, registration('bob'))
    expect(await failedReply(site.call(register, registration('BOB', { email: 'Bob@Example.org' })))).toEqual(
      { status: 400, body: { code: 'invalid', username: ['A user with that username already exists.'] } },
    )
  })

  test('responds identically, through the same statements, if an account has the address', async () => {
    const owner = await signUp(site, 'owner')
    const emails = ['nobody@example.org', owner.email, owner.email.toUpperCase()]
    for (const [n, overrides] of [{}, { password2: 'another one' }, { password: 'password1' }].entries()) {
      const traces = []
      for (const [m, email] of emails.entries()) {
        const { body } = registration(`newcomer${n}${m}`, { email, ...overrides })
        site.statements.length = 0
        const reply = await post('/auth/register/', body)
        const { id: _, username: __, email: ___, ...rest } = reply.json()
        const headers = Object.keys(reply.headers).sort()
        // Content rules are cached for some seconds, so that any call may read them.
        const statements = site.statements.filter((statement) => !statement.includes('content_rules'))
        traces.push({ status: reply.statusCode, rest, headers, statements })
      }
      expect(traces[0]?.status).toBe(n === 0 ? 201 : 400)
      expect(traces[0]?.statements.join()).not.toMatch(/email\)? *=/)
      for (const trace of traces) expect(trace).toEqual(traces[0])
    }
  })

  test('takes as long if an account has the address', async () => {
    const owner = await signUp(site, 'slow_owner')
    // Total processor time. Single measurements and elapsed time depend on what else is running.
    const times = { known: 0, unknown: 0 }
    for (let n = 0; n < 30; n++) {
      const kind = n % 2 === 0 ? 'known' : 'unknown'
      const email = kind === 'known' ? owner.email : `slow${n}@example.org`
      const start = process.cpuUsage()
      await site.call(register, registration(`slow_${kind}${n}`, { email }))
      const { user, system } = process.cpuUsage(start)
      if (n >= 10) times[kind] += user + system
    }
    expect(times.known / times.unknown).toBeGreaterThan(0.6)
    expect(times.known / times.unknown).toBeLessThan(1.6)
  })

  test('of twenty concurrent requests for one username, one succeeds and the others get an error', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        post('/auth/register/', registration('contested', { email: `c${n}@example.org` }).body),
      ),
    )
    expect(responses.map((response) => response.statusCode).sort()).toEqual([201, ...Array(19).fill(400)])
    const [row] = await site.db`select count(*) from users where lower(username) = 'contested'`
    expect(row?.count).toBe(1)
    expect(responses.find((response) => response.statusCode === 400)?.json()).toEqual({
      code: 'invalid',
      username: ['A user with that username already exists.'],
    })
  })

  test('refuses two different passwords', async () => {
    expect(
      await failedReply(site.call(register, registration('carol', { password2: 'another one' }))),
    ).toEqual({
      status: 400,
      body: { code: 'invalid', password2: ['Passwords do not match.'] },
    })
  })

  test.each([
    ['password1', 'This password is too common.'],
    ['PassWord1', 'This password is too common.'],
    ['qwertyuiop', 'This password is too common.'],
    ['Longenough.Name', tooSimilarText],
    ['longenough.name@example.org', tooSimilarText],
    ['eman.hguonegnol', tooSimilarText],
    ['Longenough2026', tooSimilarText],
    ['L0ng3n0ugh-n4m3', tooSimilarText],
    ['Reelmark2026!', tooSimilarText],
    ['r33lm4rk-longenough', tooSimilarText],
    ['reelreelmarkmark1', tooSimilarText],
    ['reelmarkpassword1', tooSimilarText],
    ['moderator!video', tooSimilarText],
  ])('refuses the password %s', async (bad, problem) => {
    const body = { password: bad, password2: bad }
    expect(await failedReply(site.call(register, registration('longenough.name', body)))).toEqual({
      status: 400,
      body: { code: 'invalid', password: [problem] },
    })
  })

  test('accepts a password that contains a name and is long enough without it', async () => {
    const body = { password: 'harriet loves the rain', password2: 'harriet loves the rain' }
    expect(await site.call(register, registration('harriet', body))).toMatchObject({ username: 'harriet' })
  })

  test('reports a weak password and a taken username in one response', async () => {
    await site.call(register, registration('dave'))
    const { body } = await failedReply(
      site.call(register, registration('Dave', { email: 'new@example.org', password: 'password1' })),
    )
    expect(body).toEqual({
      code: 'invalid',
      username: ['A user with that username already exists.'],
      password: ['This password is too common.'],
      password2: ['Passwords do not match.'],
    })
  })

  test.each([
    ['too short', { password: 'short12', password2: 'short12' }, 'password'],
    ['too long', { password: 'x'.repeat(129), password2: 'x' }, 'password'],
    ['a name that starts with a dot', { username: '.dot' }, 'username'],
    ['a name with a blank', { username: 'a b c' }, 'username'],
    ['a name of two letters', { username: 'ab' }, 'username'],
    ['an address without a host', { email: 'nobody' }, 'email'],
    ['rights', { is_moderator: true }, 'is_moderator'],
  ])('%s is refused with an error for the field', async (_, input, field) => {
    const { status, body } = await failedReply(site.call(register, registration('erin', input)))
    expect(status).toBe(400)
    expect(body).toHaveProperty(field)
  })

  test('explains which characters a username may contain', async () => {
    const { body } = await failedReply(
      site.call(register, registration('no spaces', { email: 'n@example.org' })),
    )
    expect(body).toEqual({
      code: 'invalid',
      username: ['Use letters, numbers, dots, dashes or underscores, and start with a letter or number.'],
    })
  })

  test('accepts any characters in a password and stores them unchanged', async () => {
    const unusualPassword = '  пароль 🔑 "\'\\ <b> '
    await site.call(
      register,
      registration('frank', { password: unusualPassword, password2: unusualPassword }),
    )
    await site.call(logIn, { body: { username: 'frank', password: unusualPassword } })
    expect(
      (await failedReply(site.call(logIn, { body: { username: 'frank', password: unusualPassword.trim() } })))
        .status,
    ).toBe(401)
  })
})

describe('login', () => {
  test('works with username or confirmed e-mail address, whatever the case', async () => {
    await site.call(register, registration('Grace'))
    await site.db`update users set email_confirmed_at = now() where username = 'Grace'`
    for (const username of ['Grace', 'gRACE', 'grace@EXAMPLE.org', '  grace  ']) {
      const tokens = await site.call(logIn, { body: { username, password } })
      expect(tokens).toEqual({ access: expect.any(String), refresh: expect.any(String), username: 'Grace' })
    }
  })

  test('by e-mail address reaches the account that confirmed it, and reveals no other', async () => {
    const owner = await signUp(site, 'winnie')
    await site.call(register, registration('trudy', { email: owner.email }))
    await site.call(register, registration('trudy2', { email: 'free@example.org' }))
    const logInAs = (username: string, password: string) => site.call(logIn, { body: { username, password } })
    expect((await logInAs(owner.email, owner.password)).username).toBe('winnie')
    const replies = [
      await failedReply(logInAs(owner.email, password)),
      await failedReply(logInAs('free@example.org', password)),
    ]
    expect(replies[0]).toEqual({
      status: 401,
      body: { detail: 'Invalid username or password.', code: 'wrong-credentials' },
    })
    expect(replies[1]).toEqual(replies[0])
  })

  test('responds identically to a wrong password and an unknown username', async () => {
    await site.call(register, registration('heidi'))
    const wrong = await failedReply(
      site.call(logIn, { body: { username: 'heidi', password: 'not this one' } }),
    )
    const unknown = await failedReply(
      site.call(logIn, { body: { username: 'nobody', password: 'not this one' } }),
    )
    expect(wrong).toEqual({
      status: 401,
      body: { detail: 'Invalid username or password.', code: 'wrong-credentials' },
    })
    expect(unknown).toEqual(wrong)
  })

  test('takes as long for an unknown username as for a wrong password', async () => {
    await site.call(register, registration('ivan'))
    // Total processor time. Single measurements and elapsed time depend on what else is running.
    const times = { ivan: 0, unknown: 0 }
    for (let n = 0; n < 30; n++) {
      const username = n % 2 === 0 ? 'ivan' : 'unknown'
      const start = process.cpuUsage()
      await failedReply(site.call(logIn, { body: { username, password: 'not this one' } }))
      const { user, system } = process.cpuUsage(start)
      times[username] += user + system
    }
    // Without hashing a dummy password, the ratio would be about a tenth.
    expect(times.unknown / times.ivan).toBeGreaterThan(1 / 3)
    expect(times.unknown / times.ivan).toBeLessThan(3)
  })

  test('replaces a hash that was created with other parameters, so that the password still works', async () => {
    await signUp(site, 'rehashed')
    setHashCost({ memoryCost: 64, timeCost: 1 })
    const oldHash = await hashPassword(password)
    setHashCost()
    await site.db`update users set password_hash = ${oldHash} where username = 'rehashed'`
    const logInWith = (text: string) => site.call(logIn, { body: { username: 'rehashed', password: text } })
    const readHash = async () =>
      (
        await site.db<
          { password_hash: string }[]
        >`select password_hash from users where username = 'rehashed'`
      )[0]?.password_hash
    expect((await failedReply(logInWith('another one'))).status).toBe(401)
    expect(await readHash()).toBe(oldHash)
    await logInWith(password)
    const newHash = await readHash()
    expect(newHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    await logInWith(password)
    expect(await readHash()).toBe(newHash)
  })

  test('is refused to an account without a password', async () => {
    await site.db`insert into users (username, email) values ('sso', 'sso@example.org')`
    expect((await failedReply(site.call(logIn, { body: { username: 'sso', password } }))).status).toBe(401)
  })

  test('tells a banned user the reason, but only with the right password', async () => {
    const mallory = await signUp(site, 'mallory')
    await site.db`update users set banned_at = now(), ban_reason = 'Spam only.' where id = ${mallory.id}`
    const { password } = mallory
    expect(await failedReply(site.call(logIn, { body: { username: 'mallory', password } }))).toEqual({
      status: 403,
      body: { detail: 'This account is banned.', code: 'banned', reason: 'Spam only.' },
    })
    expect(
      (await failedReply(site.call(logIn, { body: { username: 'mallory', password: 'guess' } }))).status,
    ).toBe(401)
    expect((await failedReply(site.call(refreshTokens, { body: { refresh: mallory.refresh } }))).status).toBe(
      401,
    )
  })

  test.each([
    [true, 7 * 24],
    [undefined, 7 * 24],
    [false, 24],
  ])(
    'with remember %s creates a session of %i hours, which a refresh extends to the same length',
    async (remember, hours) => {
      await site.call(register, registration(`stay-${remember}`))
      const { refresh } = await site.call(logIn, {
        body: { username: `stay-${remember}`, password, ...(remember === undefined ? {} : { remember }) },
      })
      const hoursLeft = async () => {
        const [row] = await site.db`
        select extract(epoch from expires_at - now())::float8 / 3600 as hours
          from sessions s join users u on u.id = s.user_id where username = ${`stay-${remember}`}`
        return row?.hours as number
      }
      expect(await hoursLeft()).toBeCloseTo(hours, 1)
      await site.db`update sessions set expires_at = expires_at - interval '5 hours'`
      await site.call(refreshTokens, { body: { refresh } })
      expect(await hoursLeft()).toBeCloseTo(hours, 1)
    },
  )

  test('stores user agent and address for the list of sessions', async () => {
    await site.call(register, registration('judy'))
    await post('/token/', { username: 'judy', password }, { 'user-agent': 'Netscape/4'.repeat(100) })
    const [row] = await site.db`
      select user_agent, host(address) as address from sessions
        join users on users.id = user_id where username = 'judy'`
    expect(row).toEqual({ user_agent: 'Netscape/4'.repeat(50), address: '127.0.0.1' })
  })

  test('queues fifty concurrent logins, and all succeed', { tags: 'heavy' }, async () => {
    await site.call(register, registration('crowd'))
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => post('/token/', { username: 'crowd', password })),
    )
    expect(new Set(responses.map((response) => response.statusCode))).toEqual(new Set([200]))
  })
})
