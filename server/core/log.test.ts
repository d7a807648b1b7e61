import { Writable } from 'node:stream'
import { DatabaseError } from 'pg'
import { describe, expect, test } from 'vitest'
import { useSite } from '../testing/use-site.ts'
import { openLog } from './log.ts'

/** Returns the log line of an error, parsed. */
function loggedError(error: unknown) {
  let line = ''
  const log = openLog(
    { logLevel: 'info' },
    new Writable({
      write(chunk, _encoding, done) {
        line += chunk
        done()
      },
    }),
  )
  log.error({ err: error }, 'it failed')
  return { line, err: JSON.parse(line).err }
}

describe('the access log', async () => {
  const { site } = await useSite()

  test.each([
    '/embed/7?expires=1&key=s3cret',
    '/embed/7?expires=1&%6Bey=s3cret',
    '/embed/7?KEY=s3cret',
    '/embed/7;key=s3cret?x',
    '//embed/7?key=s3cret',
    '/reset-password/MQ/s3cret',
    '/RESET-PASSWORD/MQ/s3cret',
    '/reset%2Dpassword/MQ/s3cret',
    '//reset-password//MQ//s3cret',
    '/reset-password;/MQ/s3cret;x=y',
    '/reset-password-confirm?uidb64=MQ&token=s3cret',
    '/confirm-email/s3cret',
    '/unsubscribe/1.s3cret',
    '/login/oidc?state=s3cret&code=s3cret',
    '/api/videos/?q=s3cret',
    '/api/videos/?user=s3cret&page=x',
    '/api/profile/s3cret/',
    '/%61pi/profile/s3cret/',
    '/api/s3cret',
    '/media/s3cret.webp',
    '/s3cret',
    '/s3cret/%ff',
    '/api/s3cret/%ff',
    'http://s3cret.example/s3cret',
  ])('names the route of %s and nothing of its URL', async (url) => {
    site.log.length = 0
    await site.app.inject({ url, headers: { referer: `https://localhost${url}`, host: 's3cret.example' } })
    await site.app.inject({ url, method: 'POST', payload: { s3cret: 's3cret' } })
    expect(site.log.length).toBeGreaterThan(0)
    expect(JSON.stringify(site.log)).not.toContain('s3cret')
  })

  test('says which route was called', async () => {
    site.log.length = 0
    await site.app.inject('/api/profile/alice/?x=1')
    expect(site.log.map(({ req }) => req).filter((req) => req !== undefined)).toEqual([
      expect.objectContaining({ method: 'GET', route: '/api/profile/:username/' }),
    ])
  })
})

describe('a logged object', () => {
  const logged = (fields: object) => {
    let line = ''
    const destination = new Writable({
      write(chunk, _encoding, done) {
        line += chunk
        done()
      },
    })
    openLog({ logLevel: 'info' }, destination).child({ part: 'a part' }).info(fields, 'a message')
    return JSON.parse(line)
  }

  test('does not show secrets, up to three levels deep and in lists', () => {
    const fields = {
      password: 's3cret',
      user: { name: 'alice', access: 's3cret' },
      reply: { body: { refresh: 's3cret', count: 2 } },
      accounts: [{ token: 's3cret' }, { id: 7 }],
      ticket: { id: 's3cret' },
      cookie: undefined,
    }
    expect(logged(fields)).toMatchObject({
      part: 'a part',
      password: '[secret]',
      user: { name: 'alice', access: '[secret]' },
      reply: { body: { refresh: '[secret]', count: 2 } },
      accounts: [{ token: '[secret]' }, { id: 7 }],
      ticket: '[secret]',
      msg: 'a message',
    })
    expect(JSON.stringify(logged(fields))).not.toContain('s3cret')
    expect(fields.user.access).toBe('s3cret')
  })

  test('is logged unchanged if it has no secrets', () => {
    const fields = { reason: 'SIGTERM', sizes: [1, 2], applied: { first: ['a'] } }
    expect(logged(fields)).toMatchObject(fields)
  })
})

describe('the log line of an error', () => {
  test('contains neither the row nor the value that PostgreSQL refused', () => {
    const duplicate = Object.assign(
      new DatabaseError('duplicate key value violates unique constraint "u"', 1, 'error'),
      {
        code: '23505',
        detail: 'Key (email)=(alice@example.com) already exists.',
        where: "COPY users: 'alice'",
        constraint: 'u',
        table: 'users',
      },
    )
    const { line, err } = loggedError(duplicate)
    expect(err).toMatchObject({ code: '23505', constraint: 'u', table: 'users', message: duplicate.message })
    expect(err.stack).toContain('log.test.ts')
    expect(line).not.toContain('alice')
    const syntax = Object.assign(
      new DatabaseError('invalid input syntax for type uuid: "alice"', 1, 'error'),
      { code: '22P02' },
    )
    expect(loggedError(syntax).line).not.toContain('alice')
  })

  test('contains no link and no email address, also of its causes', () => {
    const cause = new TypeError("Can't read https://films.example/private?key=s3cret now")
    const error = Object.assign(new Error('550 <alice@example.com>: user unknown', { cause }), {
      input: 'https://films.example/s3cret',
      response: '550 alice@example.com',
    })
    const { line, err } = loggedError(error)
    expect(err.message).toBe('550 [address] user unknown')
    expect(err.cause.message).toBe("Can't read [link] now")
    expect(line).not.toMatch(/alice|s3cret/)
  })

  test('is written for an error that is its own cause', () => {
    const error = new Error('again')
    error.cause = error
    expect(loggedError(error).err.message).toBe('again')
  })

  test('of a thrown text does not contain the text', () => {
    expect(loggedError('s3cret').line).not.toContain('s3cret')
  })
})
