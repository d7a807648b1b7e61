import { register } from '@reelmark/contract/accounts.ts'
import { describe, expect, test } from 'vitest'
import { failedReply, signUpModerator } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { isReservedUsername } from './reserved-usernames.ts'

const { site } = await useSite()
await signUpModerator(site, 'Lilian_Moss')

const password = 'a long walk in the rain'
const signUpAs = (username: string) =>
  site.call(register, {
    body: { username, email: 'new@example.org', password, password2: password },
  })
const unavailable = {
  status: 400,
  body: { code: 'invalid', username: ["This username isn't available."] },
}

describe('registration refuses', () => {
  test.each([
    'moderator',
    'Support',
    'reelmark',
    'admin.',
    'ADMIN',
    'adm1n',
    'a-d-m-i-n',
    'aclmin',
    'rnoderator',
    'm0derator',
    'm0d3r4tor',
    's7aff',
    'moderator7',
    'the_moderator',
    'admin-team',
    'ReelmarkHelp',
    'ree1mark_news',
    'reel.mark',
    '0fficial',
    'no-reply',
    'root',
    'deleted-12345',
  ])('the reserved or similar username %s', async (username) => {
    expect(await failedReply(signUpAs(username))).toEqual(unavailable)
  })

  test.each(['lilianmoss', 'LiIian_Moss', 'l1lian.m0ss', 'lilian_moss_'])(
    '%s, which looks like the name of a moderator',
    async (username) => {
      expect(await failedReply(signUpAs(username))).toEqual(unavailable)
    },
  )

  test('a reserved username together with every other problem of the form', async () => {
    const body = { username: 'admin_', email: 'a@example.org', password: 'password1', password2: password }
    expect((await failedReply(site.call(register, { body }))).body).toEqual({
      code: 'invalid',
      username: ["This username isn't available."],
      password: ['This password is too common.'],
      password2: ['Passwords do not match.'],
    })
  })
})

test('registration accepts a name that looks like that of a user without rights', async () => {
  expect(await signUpAs('a1ice')).toMatchObject({ username: 'a1ice' })
})

test.each(['modern_art', 'the_archivist', 'supporter', 'badminton', 'Ilmari', 'mark_reel', 'info_hunter'])(
  'the username %s is not reserved',
  (username) => {
    expect(isReservedUsername(username)).toBe(false)
  },
)
