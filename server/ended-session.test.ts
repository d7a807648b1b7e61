/**
 * A request that began before a session ended changes nothing afterwards. Otherwise an intruder could hold a request open
 * whose body is missing, and complete it after the owner has reset the password.
 */
import { connect as connectSocket } from 'node:net'
import { expect, test } from 'vitest'
import { endUserSessions } from './core/auth/session.ts'
import { countLockWaits } from './testing/lock-waits.ts'
import { signUp, signUpModerator, type TestUser } from './testing/test-users.ts'
import { useSite } from './testing/use-site.ts'

const { site } = await useSite()
const baseUrl = new URL(await site.app.listen({ port: 0, host: '127.0.0.1' }))

/** Sends a call without the last byte of its body. Returns a function that sends it and returns the status. */
async function holdOpen(path: string, body: object, { access }: TestUser): Promise<() => Promise<number>> {
  const payload = JSON.stringify(body)
  const socket = connectSocket(Number(baseUrl.port), baseUrl.hostname)
  const response = new Promise<string>((resolve, reject) => {
    socket.once('data', (data) => resolve(data.toString()))
    socket.once('error', reject)
  })
  const lines = site.log.length
  socket.write(
    `POST /api${path} HTTP/1.1\r\nhost: ${baseUrl.host}\r\nauthorization: Bearer ${access}\r\n` +
      `content-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload.slice(0, -1)}`,
  )
  await expect.poll(() => JSON.stringify(site.log.slice(lines))).toContain('incoming request')
  // The request is authenticated by a query that starts now.
  await new Promise((resolve) => setTimeout(resolve, 300))
  return async () => {
    socket.write(payload.slice(-1))
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(await response)?.[1])
    socket.destroy()
    return status
  }
}

let users = 0
const tokenRequest = { name: 'Stays', scopes: ['read'], expires_in_days: null }

test('an access token is not created after the session has ended while the body was sent', async () => {
  const alice = await signUp(site, 'holder')
  const finish = await holdOpen('/auth/tokens/', tokenRequest, alice)
  await endUserSessions(site.db, alice.id)
  expect(await finish()).toBe(401)
  expect(await site.db`select from access_tokens where user_id = ${alice.id}`).toHaveLength(0)
})

test('a body that is sent slowly in a session that goes on is accepted', async () => {
  const finish = await holdOpen('/auth/tokens/', tokenRequest, await signUp(site, 'slow'))
  expect(await finish()).toBe(201)
})

test('a moderator who was dismissed while the body was sent does nothing any more', async () => {
  const moderator = await signUpModerator(site, 'dismissed')
  const target = await signUp(site, 'target')
  const finish = await holdOpen(`/moderation/users/${target.id}/ban/`, {}, moderator)
  await site.db`update users set is_moderator = false where id = ${moderator.id}`
  expect(await finish()).toBe(403)
})

test('a banned user posts nothing that they began to send before the ban', async () => {
  const banned = await signUp(site, 'banned')
  const finish = await holdOpen('/collections/', { name: 'Later' }, banned)
  await site.db`update users set banned_at = now() where id = ${banned.id}`
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect(await finish()).toBe(401)
})

test.each([
  ['an access token', '/auth/tokens/', tokenRequest],
  ['recovery codes', '/auth/recovery-codes/', undefined],
  ['a new address', '/auth/email-change/', { email: 'new@example.org' }],
])('a request for %s that waits for a password reset is refused', async (_, path, payload) => {
  users += 1
  const user = await signUp(site, `waiting${users}`)
  let request: Promise<{ statusCode: number }> | undefined
  await site.db.begin(async (tx) => {
    // As a reset does.
    await tx`update users set password_hash = password_hash where id = ${user.id}`
    request = site.app
      .inject({
        method: 'POST',
        url: `/api${path}`,
        headers: { authorization: `Bearer ${user.access}` },
        ...(payload !== undefined && { payload }),
      })
      .then((response) => response)
    await expect.poll(() => countLockWaits(site.db), { timeout: 10_000 }).toBeGreaterThan(0)
    await endUserSessions(tx, user.id)
  })
  expect((await request)?.statusCode).toBe(401)
})
