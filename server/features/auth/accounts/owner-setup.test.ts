import { logIn } from '@reelmark/contract/accounts.ts'
import { createOwner } from '@reelmark/contract/owner-setup.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { beforeEach, expect, test } from 'vitest'
import { createTicket, readTicket } from '../../../core/auth/one-time-tickets.ts'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { failedReply, signUp, signUpModerator } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { createSetupLink } from './owner-setup.ts'

const { site } = await useSite({ work: true })
const password = 'a lantern above the quay'
const refused = { status: 400, body: { code: 'invalid-setup-link' } }

beforeEach(async () => {
  // Undoes what the last owner cannot.
  await site.db`alter table users disable trigger user`
  await site.db`update users set is_owner = false`
  await site.db`alter table users enable trigger user`
  await site.db`delete from one_time_tickets`
})

async function newToken(): Promise<string> {
  const link = (await createSetupLink(site.db, 'https://reels.example')) ?? ''
  expect(link).toMatch(/^https:\/\/reels\.example\/setup#[\w-]{43}$/)
  return link.split('#')[1] ?? ''
}
const create = (token: string, username: string, more: object = {}) =>
  site.call(createOwner, {
    body: { token, username, email: `${username}@example.org`, password, password2: password, ...more },
  })

test('the link creates an owner once, who can log in', async () => {
  const token = await newToken()
  const rows = await site.db`select encode(hash, 'escape') || data::text as text from one_time_tickets`
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(await create(token, 'Olga')).toMatchObject({ username: 'Olga', email: 'Olga@example.org' })
  const { access } = await site.call(logIn, { body: { username: 'olga', password } })
  expect(await site.call(getProfile, { params: { username: 'olga' } }, { access })).toMatchObject({
    is_owner: true,
    is_moderator: true,
  })
  expect(await failedReply(create(token, 'second'))).toMatchObject(refused)
  const [entry] = await site.db`select actor_name, target_id from audit_log where action = 'make-owner'`
  expect(entry?.actor_name).toBe('operator')
  expect(JSON.stringify(site.log)).not.toContain(token)
})

test('the new owner gets a mail that confirms the address, and the security log names them', async () => {
  const { id } = await create(await newToken(), 'Oda')
  expect(site.log).toContainEqual(
    expect.objectContaining({ event: 'role-changed', target_id: id, call: 'POST /setup/owner/' }),
  )
  const [mail] = await waitForMailsTo(site, 'Oda@example.org')
  expect(mail?.text).toMatch(/\/confirm-email\/[\w-]{43}$/m)
})

test('no link is created for a site with an owner, and earlier links are refused', async () => {
  await create(await newToken(), 'first-owner')
  // As if it had been created at the moment at which the owner was.
  const late = await createTicket(site.db, 'owner-setup')
  expect(await createSetupLink(site.db, 'https://reels.example')).toBeNull()
  expect(await failedReply(create(late, 'second-owner'))).toMatchObject(refused)
})

test('the link of an earlier start stops working when the next start prints another one', async () => {
  const first = await newToken()
  const otherTicket = await createTicket(site.db, 'oidc-login')
  const second = await newToken()
  expect(await failedReply(create(first, 'impatient'))).toMatchObject(refused)
  expect(await create(second, 'impatient')).toMatchObject({ username: 'impatient' })
  expect(await readTicket(site.db, 'oidc-login', otherTicket)).not.toBeNull()
})

test('of two links used at the same moment, one creates an owner', async () => {
  const tokens = [await newToken(), await createTicket(site.db, 'owner-setup')]
  const outcomes = await Promise.allSettled(tokens.map((token, n) => create(token, `racer${n}`)))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await site.db`select from users where is_owner`).toHaveLength(1)
})

test('an expired or made-up link is refused, whatever else is sent', async () => {
  const token = await newToken()
  await site.db`update one_time_tickets set expires_at = now()`
  await signUp(site, 'taken')
  for (const candidate of [token, 'x', 'A'.repeat(43)]) {
    for (const username of ['taken', 'free']) {
      expect(await failedReply(create(candidate, username, { password: 'password' }))).toMatchObject(refused)
    }
  }
  await newToken()
  const [row] =
    await site.db`select expires_at - now() as valid_for from one_time_tickets order by expires_at desc`
  expect(row?.valid_for).toMatch(/^00:59:/)
})

test('a weak password or a taken name leaves the link valid', async () => {
  const token = await newToken()
  await signUpModerator(site, 'moderator1')
  expect(await failedReply(create(token, 'moderator1'))).toMatchObject({
    body: { username: [expect.any(String)] },
  })
  const common = { password: 'password1', password2: 'password1' }
  expect(await failedReply(create(token, 'otto', common))).toMatchObject({
    body: { password: [expect.any(String)] },
  })
  expect(await failedReply(create(token, 'otto', { password2: 'other' }))).toMatchObject({
    body: { password2: ['Passwords do not match.'] },
  })
  expect(await create(token, 'otto')).toMatchObject({ username: 'otto' })
})
