import { createComment, createReply } from '@reelmark/contract/comments.ts'
import { toggleFollow } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { markNotificationsRead, unsubscribe } from '@reelmark/contract/notifications.ts'
import { getProfile, type MailFrequency, updateProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMailServer } from '../../testing/mail-server.ts'
import type { TestMail } from '../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import { sendDigests } from './jobs.ts'

let site: TestApp
let server: Awaited<ReturnType<typeof startMailServer>>
let alice: TestUser
let bob: TestUser
let userCount = 0
beforeAll(async () => {
  server = await startMailServer()
  site = await bootApp({
    work: true,
    settings: { smtpUrl: server.url, publicUrl: 'https://reelmark.example' },
  })
})
afterAll(async () => {
  await site.close()
  await server.stop()
})
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `Alice${userCount}`)
  bob = await signUp(site, `Bob${userCount}`)
  await site.db`update users set notify_by_email = 'off'`
})

const setFrequency = (user: TestUser, notify_by_email: MailFrequency) =>
  site.call(updateProfile, { params: { username: user.username }, body: { notify_by_email } }, user)
const readFrequency = async (user: TestUser) =>
  (await site.call(getProfile, { params: { username: user.username } }, user)).notify_by_email
const send = () => sendDigests(site.app.deps)
const mailsTo = async (user: TestUser, count: number): Promise<TestMail[]> => {
  const mails = () => server.received.filter(({ to }) => to[0] === user.email).map(({ mail }) => mail)
  await expect.poll(() => mails().length).toBe(count)
  return mails()
}
/** Makes earlier digests and notifications appear `n` days older. */
const passDays = async (n: number) => {
  const interval = site.db`make_interval(days => ${n})`
  await site.db`update users set last_digest_at = last_digest_at - ${interval} where id = ${alice.id}`
  await site.db`update notifications set last_event_at = last_event_at - ${interval} where user_id = ${alice.id}`
}
const createNotifications = async () => {
  const { video } = await saveFilm(site, alice, `digest${userCount}`, { video: { title: 'Sintel & <co>' } })
  await site.call(toggleLike, { params: { id: video.id } }, bob)
  await site.call(toggleFollow, { params: { id: alice.id } }, bob)
}
const findLink = (mail: TestMail) =>
  /^<https:\/\/reelmark\.example(\/unsubscribe\/(\S+))>$/.exec(mail.headers['list-unsubscribe'] ?? '') ?? []

describe('the digest', () => {
  test('is not sent to users who did not turn it on', async () => {
    expect(await readFrequency(alice)).toBe('off')
    await createNotifications()
    expect(await send()).toBe(0)
  })

  test('contains the number of new notifications, at most once a day', async () => {
    await setFrequency(alice, 'daily')
    expect(await readFrequency(alice)).toBe('daily')
    await createNotifications()
    expect(await send()).toBe(1)
    expect(await send()).toBe(0)
    const [mail] = await mailsTo(alice, 1)
    expect(mail?.headers.subject).toBe('You have 2 new notifications')
    expect(mail?.text).toContain('You have 2 new notifications on Reelmark.')
    expect(mail?.text).toContain('https://reelmark.example/notifications')
    // There is nothing new since the first digest.
    await passDays(1)
    expect(await send()).toBe(0)
  })

  test('contains no text of a user: no username, title or comment', async () => {
    await setFrequency(alice, 'daily')
    const { video } = await saveFilm(site, alice, `texts${userCount}`, { video: { title: 'Secret passion' } })
    await site.call(toggleLike, { params: { id: video.id } }, bob)
    const { id } = await site.call(
      createComment,
      { params: { id: video.id }, body: { content: 'My comment' } },
      alice,
    )
    await site.call(createReply, { params: { id }, body: { content: 'Log in at evil.example' } }, bob)
    await site.call(toggleFollow, { params: { id: alice.id } }, bob)
    expect(await send()).toBe(1)
    const [mail] = await mailsTo(alice, 1)
    expect(`${mail?.headers.subject} ${mail?.text} ${mail?.html}`).not.toMatch(
      new RegExp(`secret|passion|comment|evil|${alice.username}|${bob.username}`, 'i'),
    )
  })

  test('says how many of the own videos turned out to be gone since the last one, also without notifications', async () => {
    await setFrequency(alice, 'weekly')
    const films = await Promise.all([1, 2].map((n) => saveFilm(site, alice, `gone${userCount}-${n}`)))
    const others = await saveFilm(site, bob, `gone-of-bob${userCount}`)
    const ids = [...films, others].map(({ video }) => video.id)
    await site.db`
      update videos set missing_since = now() - interval '3 days', missing_found_at = now(),
                        missing_since_bookmark_id = 1e9, missing_confirmed_bookmark_id = 1e9
       where id = any (${ids})`
    expect(await send()).toBe(1)
    const [mail] = await mailsTo(alice, 1)
    expect(mail?.headers.subject).toBe('2 videos you saved are gone from their sites')
    expect(mail?.text).toContain('Search for is:gone to find them.')
    expect(mail?.text).toContain('https://reelmark.example/explore?q=is%3Agone')
    // The second digest contains only what was found since the first one.
    await site.db`update users set last_digest_at = now() - interval '8 days' where id = ${alice.id}`
    await site.db`update videos set missing_found_at = now() - interval '9 days' where id = ${ids[1] ?? 0}`
    await site.call(toggleFollow, { params: { id: alice.id } }, bob)
    expect(await send()).toBe(1)
    const mails = await mailsTo(alice, 2)
    const second = mails.find(({ headers }) => headers.subject === 'You have a new notification')
    expect(second?.text).toContain('A video you saved is gone from its site. Search for is:gone to find it.')
  })

  test('is not sent to an address that is not confirmed', async () => {
    await setFrequency(alice, 'daily')
    await createNotifications()
    await site.db`update users set email_confirmed_at = null where id = ${alice.id}`
    expect(await send()).toBe(0)
    await site.db`update users set email_confirmed_at = now() where id = ${alice.id}`
    expect(await send()).toBe(1)
  })

  test('omits notifications that were read', async () => {
    await setFrequency(alice, 'daily')
    await createNotifications()
    await site.call(markNotificationsRead, { body: { all: true } }, alice)
    expect(await send()).toBe(0)
  })

  test('is sent once a week on the weekly setting', async () => {
    await setFrequency(alice, 'weekly')
    await createNotifications()
    expect(await send()).toBe(1)
    await passDays(1)
    await saveFilm(site, bob, `week${userCount}`)
    await site.call(toggleFollow, { params: { id: bob.id } }, alice)
    await saveFilm(site, bob, `later${userCount}`)
    expect(await send()).toBe(0)
    await passDays(6)
    expect(await send()).toBe(1)
    const mails = await mailsTo(alice, 2)
    // Both mails may be delivered at the same time, in either order.
    expect(mails.map(({ headers }) => headers.subject).sort()).toEqual([
      'You have 2 new notifications',
      'You have a new notification',
    ])
  })

  test('is sent once even if several processes send digests concurrently', async () => {
    await setFrequency(alice, 'daily')
    await createNotifications()
    const sent = await Promise.all([send(), send(), send()])
    expect(sent.sort()).toEqual([0, 0, 1])
    await mailsTo(alice, 1)
  })

  test('is not sent to banned users', async () => {
    await setFrequency(alice, 'daily')
    await createNotifications()
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    expect(await send()).toBe(0)
  })

  test('has no other frequencies than off, daily and weekly', async () => {
    const reply = await failedReply(setFrequency(alice, 'hourly' as MailFrequency))
    expect([reply.status, Object.keys(reply.body as object)]).toEqual([400, ['notify_by_email', 'code']])
  })
})

describe('unsubscribing', () => {
  const receiveDigest = async () => {
    await setFrequency(alice, 'daily')
    await createNotifications()
    await send()
    const [mail] = await mailsTo(alice, 1)
    return mail as TestMail
  }

  test('from one kind of notifications leaves the others and the digest', async () => {
    const { text } = await receiveDigest()
    const [, token = ''] =
      /about likes of your bookmarks: https:..reelmark.example.unsubscribe.(\S+)/.exec(text) ?? []
    await site.call(unsubscribe, { body: { token } })
    const flags = () => site.call(getProfile, { params: { username: alice.username } }, alice)
    expect(await flags()).toMatchObject({
      mail_on_own_video_liked: false,
      notify_on_own_video_liked: true,
      mail_on_follow: true,
      notify_by_email: 'daily',
    })
    const forged = token.replace('own_video_liked', 'follow')
    expect((await failedReply(site.call(unsubscribe, { body: { token: forged } }))).status).toBe(400)
    expect(await flags()).toMatchObject({ mail_on_follow: true })
  })

  test('works with the one-click button of mail programs (RFC 8058)', async () => {
    const mail = await receiveDigest()
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    const [, path = ''] = findLink(mail)
    expect(mail.text).toContain(`https://reelmark.example${path}`)
    for (const [type, payload] of [
      ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      ],
    ] as const) {
      await setFrequency(alice, 'daily')
      const reply = await site.app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': type },
        payload,
      })
      expect([reply.statusCode, reply.body]).toEqual([200, ''])
      expect(await readFrequency(alice)).toBe('off')
    }
  })

  test('works through the link, signed in or not, any number of times', async () => {
    const [, , token = ''] = findLink(await receiveDigest())
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await site.call(unsubscribe, { body: { token } })).toEqual({
        detail: "You're unsubscribed from notification emails.",
      })
    }
    expect(await readFrequency(alice)).toBe('off')
  })

  test('requires a valid token, and opening the link alone changes nothing', async () => {
    const [, path = '', token = ''] = findLink(await receiveDigest())
    const forgedTokens = [
      token.replace(/^\d+/, String(bob.id)),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`,
      token.slice(0, -1),
      `0${token}`,
      `${token} `,
      '1.é',
      `${'9'.repeat(30)}.${'A'.repeat(43)}`,
    ]
    await setFrequency(bob, 'weekly')
    for (const forgedToken of forgedTokens) {
      if (forgedToken.trim() === token) continue
      expect(await failedReply(site.call(unsubscribe, { body: { token: forgedToken } }))).toMatchObject({
        status: 400,
      })
      const reply = await site.app.inject({
        method: 'POST',
        url: `/unsubscribe/${encodeURIComponent(forgedToken)}`,
      })
      expect(reply.statusCode).toBe(400)
    }
    await site.app.inject(path)
    expect([await readFrequency(alice), await readFrequency(bob)]).toEqual(['daily', 'weekly'])
  })
})
