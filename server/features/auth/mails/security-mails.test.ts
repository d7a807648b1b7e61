import { createAccessToken } from '@reelmark/contract/access-tokens.ts'
import { changeEmail, confirmEmail, deleteAccount } from '@reelmark/contract/account-settings.ts'
import {
  changePassword,
  confirmPasswordReset,
  logIn,
  register,
  requestPasswordReset,
} from '@reelmark/contract/accounts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOutbox, waitForMailsTo } from '../../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { testPassword } from '../../../testing/test-users.ts'

let site: TestApp
beforeAll(async () => {
  site = await bootApp({ work: true })
})
afterAll(() => site.close())

test('no mail about an account contains a text that a user entered', async () => {
  const username = 'win-1000.evil.example'
  const [email, newEmail] = ['someone@example.org', 'elsewhere@example.org']
  const passwords = { new_password1: 'the second evil text', new_password2: 'the second evil text' }
  const resets = { new_password1: 'the third evil text', new_password2: 'the third evil text' }
  const logInWith = async (password: string) => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/api/token/',
      headers: { 'user-agent': 'evil browser' },
      payload: { username, password },
    })
    return reply.json<{ access: string }>()
  }
  const readLink = async (address: string, count: number, link: RegExp) => {
    const mails = await waitForMailsTo(site, address, count)
    return link.exec(mails.map(({ text }) => text).join('\n')) ?? []
  }

  await site.call(register, { body: { username, email, password: testPassword, password2: testPassword } })
  const [, confirmation = ''] = await readLink(email, 1, /confirm-email\/([\w-]+)$/m)
  await site.call(confirmEmail, { body: { token: confirmation } })
  const session = await logInWith(testPassword)
  await site.call(
    createAccessToken,
    { body: { name: 'evil token', scopes: ['read'], expires_in_days: null } },
    session,
  )
  await site.call(changePassword, { body: { old_password: testPassword, ...passwords } }, session)
  await waitForMailsTo(site, email, 3)
  await site.call(requestPasswordReset, { body: { email } })
  const [, uidb64 = '', token = ''] = await readLink(email, 4, /reset-password\/([\w-]+)\/([\w-]+)$/m)
  await site.call(confirmPasswordReset, { body: { uidb64, token, ...resets } })
  const newSession = await logInWith(resets.new_password1)
  await site.call(changeEmail, { body: { email: newEmail } }, newSession)
  const [, change = ''] = await readLink(newEmail, 1, /confirm-email\/([\w-]+)$/m)
  await site.call(confirmEmail, { body: { token: change } })
  const other = { username: 'other.evil.example', password: testPassword }
  await site.call(register, { body: { ...other, email: newEmail, password2: testPassword } })
  await waitForMailsTo(site, newEmail, 2)
  await site.call(logIn, { body: other })
  await site.call(deleteAccount, { body: { password: resets.new_password1 } }, newSession)
  await waitForMailsTo(site, newEmail, 3)

  const mails = await readOutbox(site.settings.dataDir)
  expect(mails).toHaveLength(9)
  expect(JSON.stringify(mails)).not.toMatch(/evil/i)
})
