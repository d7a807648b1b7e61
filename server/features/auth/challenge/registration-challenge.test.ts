import { register } from '@reelmark/contract/accounts.ts'
import type { Challenge, SolvedChallenge } from '@reelmark/contract/challenge.ts'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { solve } from '../../../testing/test-challenge.ts'
import { failedReply } from '../../../testing/test-users.ts'
import { removeExpired } from '../accounts/cleanup-queries.ts'

const password = 'a walk in the hills'

function registrationBody(username: string) {
  return { username, email: `${username}@example.org`, password, password2: password }
}

function signUp(site: TestApp, username: string, altcha?: SolvedChallenge) {
  return site.call(register, { body: { ...registrationBody(username), ...(altcha && { altcha }) } })
}

/** Returns the challenge that a registration must solve. */
async function requestChallenge(call: Promise<unknown>): Promise<Challenge> {
  const { status, body } = await failedReply(call)
  expect(status).toBe(403)
  expect(body).toMatchObject({ detail: expect.stringContaining('Solve the included ALTCHA challenge') })
  return (body as { challenge: Challenge }).challenge
}

describe('if registration always requires a challenge', () => {
  let site: TestApp
  /** A solution that stays valid until a test uses it. */
  let solved: SolvedChallenge
  beforeAll(async () => {
    site = await bootApp({ settings: { registrationChallenge: 'always' } })
    solved = await solve(await requestChallenge(signUp(site, 'ana')))
  })
  afterAll(() => site.close())

  const readUsernames = async () =>
    (await site.db<{ username: string }[]>`select username from users order by id`).map(
      ({ username }) => username,
    )

  test('the challenge contains nothing about the client and expires in ten minutes', () => {
    const { parameters } = solved.challenge
    expect(Object.keys(parameters).sort()).toEqual([
      'algorithm',
      'cost',
      'expiresAt',
      'keyLength',
      'keyPrefix',
      'keySignature',
      'nonce',
      'salt',
    ])
    const minutes = (parameters.expiresAt - Date.now() / 1000) / 60
    expect(minutes).toBeGreaterThan(5)
    expect(minutes).toBeLessThanOrEqual(10)
  })

  test('a solution with another number, key or challenge is refused, and so is a challenge of another signer', async () => {
    const { challenge, solution } = solved
    const expectRefused = async (altcha: SolvedChallenge) => {
      const next = await requestChallenge(signUp(site, 'ana', altcha))
      expect(next.signature).not.toBe(altcha.challenge.signature)
    }
    await expectRefused({ challenge, solution: { ...solution, derivedKey: 'ab'.repeat(32) } })
    await expectRefused({ challenge: await requestChallenge(signUp(site, 'ana')), solution })
    await expectRefused({ challenge: { ...challenge, signature: 'ab'.repeat(32) }, solution })
    const parameters = { ...challenge.parameters, expiresAt: challenge.parameters.expiresAt + 1 }
    await expectRefused({ challenge: { ...challenge, parameters }, solution })
    const foreignChallenge = (await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: 1,
      counter: 1,
      deriveKey,
      expiresAt: Math.floor(Date.now() / 1000) + 60,
      hmacSignatureSecret: 'another key',
      hmacKeySignatureSecret: 'another key',
    })) as Challenge
    await expectRefused(await solve(foreignChallenge))
    expect(await readUsernames()).toEqual([])
  })

  test('a solution after more than ten minutes is refused', async () => {
    const now = Date.now
    try {
      Date.now = () => now() + 601_000
      await requestChallenge(signUp(site, 'ana', solved))
    } finally {
      Date.now = now
    }
    expect(await readUsernames()).toEqual([])
  })

  test('a solution creates one account, also with concurrent requests, and can be used again after invalid input', async () => {
    const body = { ...registrationBody('ana'), password2: 'another one', altcha: solved }
    expect(await failedReply(site.call(register, { body }))).toEqual({
      status: 400,
      body: { code: 'invalid', password2: ['Passwords do not match.'] },
    })
    const names = ['ana', 'bob', 'cyd']
    const created = await Promise.allSettled(names.map((name) => signUp(site, name, solved)))
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [first = ''] = await readUsernames()

    const another = await solve(await requestChallenge(signUp(site, 'dot', solved)))
    expect(await failedReply(signUp(site, first, another))).toMatchObject({
      status: 400,
      body: { username: expect.any(Array) },
    })
    await signUp(site, 'dot', another)
    expect(await readUsernames()).toEqual([first, 'dot'])
  })

  test('used solutions are deleted after they expire', async () => {
    expect((await site.db`select from one_time_tickets`).count).toBe(2)
    await site.db`update one_time_tickets set expires_at = now() - interval '1 second'`
    await removeExpired(site.db)
    expect((await site.db`select from one_time_tickets`).count).toBe(0)
  })

  test.each([
    { challenge: {}, solution: {} },
    { challenge: null, solution: { counter: 1, derivedKey: 'ab' } },
    'text',
  ])('the malformed solution %j returns an error for the field', async (altcha) => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/api/auth/register/',
      payload: { ...registrationBody('ida'), altcha },
    })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toHaveProperty('altcha')
  })
})

test('during a surge registration requires a challenge, and afterwards none', async () => {
  const site = await bootApp({ settings: { rateLimitScale: 0.1 } })
  try {
    // A tenth of the limit of fifty.
    await site.db`
      insert into users (username, email) select 'early' || n, 'early' || n || '@example.org' from generate_series(1, 5) n`
    const challenge = await requestChallenge(signUp(site, 'cyd'))
    await signUp(site, 'cyd', await solve(challenge))
    await site.db`update users set created_at = created_at - interval '11 minutes' where username <> 'cyd'`
    await signUp(site, 'dot')
  } finally {
    await site.close()
  }
})

test.each([{ registrationChallenge: 'off', rateLimitScale: 0.1 } as const, { rateLimitScale: 0 }])(
  'with %j registration requires no challenge',
  async (settings) => {
    const site = await bootApp({ settings })
    try {
      await site.db`
        insert into users (username, email) select 'early' || n, 'early' || n || '@example.org' from generate_series(1, 9) n`
      expect(await signUp(site, 'cyd')).toMatchObject({ username: 'cyd' })
    } finally {
      await site.close()
    }
  },
)
