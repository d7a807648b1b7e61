/** When a browser that signed in before loses its own limit of failed logins (server/core/auth/trusted-device.ts). */
import { beforeEach, expect, test } from 'vitest'
import { hashOpaqueToken, newOpaqueToken } from '../../../core/auth/hash-token.ts'
import { signUp, testPassword } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { createReset } from '../passwords/queries.ts'
import { resetPath } from '../passwords/rules.ts'

const { site } = await useSite({ settings: { rateLimitScale: 1 } })
const newPassword = 'a longer walk'
const newPasswords = { new_password1: newPassword, new_password2: newPassword }

let userCount = 0
let user: { id: number; username: string }
beforeEach(async () => {
  userCount += 1
  user = await signUp(site, `owner${userCount}`)
  await site.db`truncate rate_limits`
})

interface Request {
  method?: 'POST' | 'DELETE'
  payload?: object
  access?: string
  device?: string
}

type Reply = { statusCode: number; cookies: { value: string }[] }

const send = (url: string, { method = 'POST', payload, access, device }: Request) =>
  site.app.inject({
    method,
    url,
    headers: {
      ...(access !== undefined && { authorization: `Bearer ${access}` }),
      ...(device !== undefined && { cookie: `device=${device}` }),
    },
    ...(payload && { payload }),
  })

const logIn = (password: string, device?: string) =>
  send('/api/token/', {
    payload: { username: user.username, password },
    ...(device !== undefined && { device }),
  })

async function resetPassword(): Promise<Reply> {
  const token = newOpaqueToken()
  await site.db.begin((tx) => createReset(tx, { user_id: user.id, token_hash: hashOpaqueToken(token) }))
  const [, , uidb64] = resetPath(user.id, token).split('/')
  return send('/api/auth/password-reset-confirm/', { payload: { uidb64, token, ...newPasswords } })
}

test.each<[string, (access: string) => Promise<Reply>, isTrustedAgain: boolean]>([
  ['a password reset', resetPassword, false],
  [
    'a password change on another device',
    (access) =>
      send('/api/auth/password-change/', {
        access,
        payload: { old_password: testPassword, ...newPasswords },
      }),
    true,
  ],
  [
    'ending all other sessions on another device',
    (access) => send('/api/auth/sessions/', { access, method: 'DELETE' }),
    true,
  ],
])('after %s, devices that signed in before are not trusted', async (_, end, isTrustedAgain) => {
  const device = (await logIn(testPassword)).cookies[0]?.value ?? ''
  const { access } = (await logIn(testPassword)).json()
  const reply = await end(access)
  expect(reply.statusCode).toBeLessThan(300)
  await site.db`truncate rate_limits`
  for (let n = 0; n < 10; n++) expect((await logIn('wrong')).statusCode).toBe(401)
  expect((await logIn('wrong', device)).statusCode).toBe(429)
  // The device on which the user did this is trusted.
  const [cookie] = reply.cookies
  expect(cookie !== undefined).toBe(isTrustedAgain)
  if (cookie !== undefined) expect((await logIn('wrong', cookie.value)).statusCode).toBe(401)
})
