import { register } from '@reelmark/contract/accounts.ts'
import type { Challenge, SolvedChallenge } from '@reelmark/contract/challenge.ts'
import { createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply } from '../../../testing/test-users.ts'
import { removeExpired } from '../accounts/cleanup-queries.ts'

const password = 'a walk in the hills'

function newUser(username: string) {
  return { username, email: `${username}@example.org`, password, password2: password }
}

function signUp(site: TestApp, username: string, altcha?: SolvedChallenge) {
  return site.call(register, { body: { ...newUser(username), ...(altcha && { altcha }) } })
}

/** What a registration is asked to solve. */
async function asked(calling: Promise<unknown>): Promise<Challenge> {
  const { status, body } = await failedReply(calling)
  expect(status).toBe(403)
  expect(body).toMatchObject({ detail: expect.stringContaining('Solve the included ALTCHA challenge') })
  return (body as { challenge: Challenge }).challenge
}

async function solve(challenge: Challenge): Promise<SolvedChallenge> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('not solved')
  return { challenge, solution }
}

describe('where registering always takes a challenge', () => {
  let site: TestApp
  /** Good until the last of these. */
  let solved: SolvedChallenge
  beforeAll(async () => {
    site = await bootApp({ settings: { registrationChallenge: 'always' } })
    solved = await solve(await asked(signUp(site, 'ana')))
  })
  afterAll(() => site.close())

  const accounts = async () =>
    (await site.db<{ username: string }[]>`select username from users order by id`).map(
      ({ username }) => username,
    )

  test('the challenge says nothing of who asks, and is over in ten minutes', () => {
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

  test('a solution of another number, key or challenge is none, and an easier challenge is not ours', async () => {
    const { challenge, solution } = solved
    const refused = async (altcha: SolvedChallenge) => {
      const next = await asked(signUp(site, 'ana', altcha))
      expect(next.signature).not.toBe(altcha.challenge.signature)
    }
    await refused({ challenge, solution: { ...solution, derivedKey: 'ab'.repeat(32) } })
    await refused({ challenge: await asked(signUp(site, 'ana')), solution })
    await refused({ challenge: { ...challenge, signature: 'ab'.repeat(32) }, solution })
    const parameters = { ...challenge.parameters, expiresAt: challenge.parameters.expiresAt + 1 }
    await refused({ challenge: { ...challenge, parameters }, solution })
    const ofTheirs = (await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: 1,
      counter: 1,
      deriveKey,
      expiresAt: Math.floor(Date.now() / 1000) + 60,
      hmacSignatureSecret: 'another key',
      hmacKeySignatureSecret: 'another key',
    })) as Challenge
    await refused(await solve(ofTheirs))
    expect(await accounts()).toEqual([])
  })

  test('a solution that comes after ten minutes is none', async () => {
    const now = Date.now
    try {
      Date.now = () => now() + 601_000
      await asked(signUp(site, 'ana', solved))
    } finally {
      Date.now = now
    }
    expect(await accounts()).toEqual([])
  })

  test('a solution makes one account, also of several at once, and outlives a form that is wrong', async () => {
    const body = { ...newUser('ana'), password2: 'other words', altcha: solved }
    expect(await failedReply(site.call(register, { body }))).toEqual({
      status: 400,
      body: { code: 'invalid', password2: ['Passwords do not match.'] },
    })
    const names = ['ana', 'bob', 'cyd']
    const created = await Promise.allSettled(names.map((name) => signUp(site, name, solved)))
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [first = ''] = await accounts()

    const another = await solve(await asked(signUp(site, 'dot', solved)))
    expect(await failedReply(signUp(site, first, another))).toMatchObject({
      status: 400,
      body: { username: expect.any(Array) },
    })
    await signUp(site, 'dot', another)
    expect(await accounts()).toEqual([first, 'dot'])
  })

  test('what was used is forgotten with all that is over', async () => {
    expect((await site.db`select from one_time_tickets`).count).toBe(2)
    await site.db`update one_time_tickets set expires_at = now() - interval '1 second'`
    await removeExpired(site.db)
    expect((await site.db`select from one_time_tickets`).count).toBe(0)
  })

  test.each([
    { challenge: {}, solution: {} },
    { challenge: null, solution: { counter: 1, derivedKey: 'ab' } },
    'text',
  ])('%j is no solution: told by field', async (altcha) => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/api/auth/register/',
      payload: { ...newUser('ida'), altcha },
    })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toHaveProperty('altcha')
  })
})

test('in a surge registering takes a challenge, and none once it is over', async () => {
  const site = await bootApp({ settings: { rateLimitScale: 0.1 } })
  try {
    // A tenth of fifty.
    await site.db`
      insert into users (username, email) select 'early' || n, 'early' || n || '@example.org' from generate_series(1, 5) n`
    const challenge = await asked(signUp(site, 'cyd'))
    await signUp(site, 'cyd', await solve(challenge))
    await site.db`update users set created_at = created_at - interval '11 minutes' where username <> 'cyd'`
    await signUp(site, 'dot')
  } finally {
    await site.close()
  }
})

test.each([{ registrationChallenge: 'off', rateLimitScale: 0.1 } as const, { rateLimitScale: 0 }])(
  'with %j there is none',
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
