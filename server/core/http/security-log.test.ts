/** What the log says about sign-ins and refused requests (docs/operating.md, Logs and health). */
import { logIn } from '@reelmark/contract/accounts.ts'
import { listReports } from '@reelmark/contract/cases.ts'
import { beforeEach, expect, test } from 'vitest'
import { failedReply } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'

const { site, alice } = await useSite()
beforeEach(() => {
  site.log.length = 0
})

const events = () => site.log.filter(({ event }) => event !== undefined)

test('a login is logged with user, session and the way to sign in', async () => {
  await site.call(logIn, { body: { username: 'alice', password: alice.password } })
  expect(events()).toEqual([
    expect.objectContaining({
      event: 'signed-in',
      user_id: alice.id,
      session_id: expect.any(Number),
      route: '/api/token/',
    }),
  ])
})

test('a failed login is logged with the reason, but neither name nor password', async () => {
  await failedReply(site.call(logIn, { body: { username: 'alice', password: 'not the right one' } }))
  expect(events()).toEqual([
    expect.objectContaining({
      event: 'refused',
      status: 401,
      route: '/api/token/',
      reqId: expect.any(String),
    }),
  ])
  const text = JSON.stringify(site.log)
  expect(text).not.toContain('alice')
  expect(text).not.toContain('not the right one')
})

test('missing rights are logged with the user, the route and the address', async () => {
  await failedReply(site.call(listReports, { query: {} }, alice))
  const [refused] = events()
  expect(refused).toMatchObject({
    event: 'refused',
    code: 'forbidden',
    status: 403,
    user_id: alice.id,
    route: '/api/moderation/reports/',
  })
  const first = site.log.find(({ reqId, req }) => reqId === refused?.reqId && req !== undefined)
  expect(first?.req).toMatchObject({ method: 'GET', remoteAddress: '127.0.0.1' })
})

test('invalid input is logged without the input, and what is not found is no refusal', async () => {
  const headers = { authorization: `Bearer ${alice.access}` }
  const send = (url: string, payload: object) => site.app.inject({ method: 'POST', url, headers, payload })
  await send('/api/collections/', { name: 'x', is_moderator: 'a value of an attacker' })
  expect(events()).toEqual([expect.objectContaining({ code: 'invalid', status: 400, user_id: alice.id })])
  expect(JSON.stringify(site.log)).not.toContain('a value of an attacker')
  site.log.length = 0
  await send('/api/unknown/', {})
  expect(events()).toEqual([])
})

test('the last line of a successful call says who made it', async () => {
  await site.app.inject({
    url: '/api/notifications/',
    headers: { authorization: `Bearer ${alice.access}` },
  })
  expect(site.log.find(({ msg }) => msg === 'request completed')).toMatchObject({ user_id: alice.id })
})
