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
let people = 0
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
  people += 1
  alice = await signUp(site, `Alice${people}`)
  bob = await signUp(site, `Bob${people}`)
  await site.db`update users set notify_by_email = 'off'`
})

const wants = (who: TestUser, notify_by_email: MailFrequency) =>
  site.call(updateProfile, { params: { username: who.username }, body: { notify_by_email } }, who)
const rhythm = async (who: TestUser) =>
  (await site.call(getProfile, { params: { username: who.username } }, who)).notify_by_email
const send = () => sendDigests(site.app.deps)
const mailsTo = async (who: TestUser, count: number): Promise<TestMail[]> => {
  const mails = () => server.received.filter(({ to }) => to[0] === who.email).map(({ mail }) => mail)
  await expect.poll(() => mails().length).toBe(count)
  return mails()
}
/** As if so many days had passed since. */
const days = async (n: number) => {
  const by = site.db`make_interval(days => ${n})`
  await site.db`update users set last_digest_at = last_digest_at - ${by} where id = ${alice.id}`
  await site.db`update notifications set last_event_at = last_event_at - ${by} where user_id = ${alice.id}`
}
const happen = async () => {
  const { video } = await saveFilm(site, alice, `digest${people}`, { video: { title: 'Sintel & <co>' } })
  await site.call(toggleLike, { params: { id: video.id } }, bob)
  await site.call(toggleFollow, { params: { id: alice.id } }, bob)
}
const findLink = (mail: TestMail) =>
  /^<https:\/\/reelmark\.example(\/unsubscribe\/(\S+))>$/.exec(mail.headers['list-unsubscribe'] ?? '') ?? []

describe('mails of what is unread', () => {
  test('go to nobody who did not ask for them', async () => {
    expect(await rhythm(alice)).toBe('off')
    await happen()
    expect(await send()).toBe(0)
  })

  test('tell it in words, once a day, and only what is new', async () => {
    await wants(alice, 'daily')
    expect(await rhythm(alice)).toBe('daily')
    await happen()
    expect(await send()).toBe(1)
    expect(await send()).toBe(0)
    const [mail] = await mailsTo(alice, 1)
    expect(mail?.headers.subject).toBe('You have 2 new notifications')
    expect(mail?.text).toContain(`${bob.username} followed you.`)
    expect(mail?.text).toContain(`${bob.username} liked “Sintel & <co>”.`)
    expect(mail?.html).toContain('Sintel &amp; &lt;co&gt;')
    expect(mail?.text).toContain('https://reelmark.example/notifications')
    // Nothing came since.
    await days(1)
    expect(await send()).toBe(0)
  })

  test('say nothing of adult videos, neither what they are called nor what is said of them', async () => {
    await wants(alice, 'daily')
    const video = { title: 'Secret passion', orientation: 'gay' as const }
    const { video: saved } = await saveFilm(site, alice, `adult${people}`, { video })
    await site.call(toggleLike, { params: { id: saved.id } }, bob)
    const { id } = await site.call(
      createComment,
      { params: { id: saved.id }, body: { content: 'Mine' } },
      alice,
    )
    await site.call(createReply, { params: { id }, body: { content: 'So naughty' } }, bob)
    expect(await send()).toBe(1)
    const [mail] = await mailsTo(alice, 1)
    expect(mail?.text).toContain(`${bob.username} liked a video.`)
    expect(mail?.text).toContain(`${bob.username} replied to your comment on a video.`)
    expect(`${mail?.headers.subject} ${mail?.text} ${mail?.html}`).not.toMatch(/secret|passion|naughty|gay/i)
  })

  test('hold what others wrote in its place, whatever it is', async () => {
    await wants(alice, 'daily')
    const title = 'A film\r\nBcc: eve@example.org\n\nLog in here: \u202egro.live//:sptth'
    const { video } = await saveFilm(site, alice, `odd${people}`, { video: { title } })
    await site.call(toggleLike, { params: { id: video.id } }, bob)
    expect(await send()).toBe(1)
    const [mail] = await mailsTo(alice, 1)
    const said = `${bob.username} liked “A film Bcc: eve@example.org Log in here: gro.live//:sptth”.`
    expect(mail?.text.split('\n')).toContain(said)
    expect(mail?.headers).not.toHaveProperty('bcc')
    expect(mail?.headers.to).toBe(alice.email)
  })

  test('tell nothing that was read', async () => {
    await wants(alice, 'daily')
    await happen()
    await site.call(markNotificationsRead, { body: { all: true } }, alice)
    expect(await send()).toBe(0)
  })

  test('come once a week to who wants them so', async () => {
    await wants(alice, 'weekly')
    await happen()
    expect(await send()).toBe(1)
    await days(1)
    await saveFilm(site, bob, `week${people}`)
    await site.call(toggleFollow, { params: { id: bob.id } }, alice)
    await saveFilm(site, bob, `later${people}`)
    expect(await send()).toBe(0)
    await days(6)
    expect(await send()).toBe(1)
    const mails = await mailsTo(alice, 2)
    // Two may be sent at once, in either order.
    const told = `${bob.username} saved “Film later${people}”.`
    expect(mails.filter(({ text }) => text.includes(told))).toHaveLength(1)
  })

  test('go out once, whoever else is sending', async () => {
    await wants(alice, 'daily')
    await happen()
    const sent = await Promise.all([send(), send(), send()])
    expect(sent.sort()).toEqual([0, 0, 1])
    await mailsTo(alice, 1)
  })

  test('do not go to the banned', async () => {
    await wants(alice, 'daily')
    await happen()
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    expect(await send()).toBe(0)
  })

  test('are off, daily or weekly', async () => {
    const reply = await failedReply(wants(alice, 'hourly' as MailFrequency))
    expect([reply.status, Object.keys(reply.body as object)]).toEqual([400, ['notify_by_email', 'code']])
  })
})

describe('whoever wants no more of them', () => {
  const mailed = async () => {
    await wants(alice, 'daily')
    await happen()
    await send()
    const [mail] = await mailsTo(alice, 1)
    return mail as TestMail
  }

  test('presses the button of their mail program (RFC 8058)', async () => {
    const mail = await mailed()
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
      await wants(alice, 'daily')
      const reply = await site.app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': type },
        payload,
      })
      expect([reply.statusCode, reply.body]).toEqual([200, ''])
      expect(await rhythm(alice)).toBe('off')
    }
  })

  test('follows the link, signed in or not, as often as they like', async () => {
    const [, , token = ''] = findLink(await mailed())
    for (let times = 0; times < 2; times++) {
      expect(await site.call(unsubscribe, { body: { token } })).toEqual({
        detail: "You're unsubscribed from notification emails.",
      })
    }
    expect(await rhythm(alice)).toBe('off')
  })

  test('can do so for nobody else, and by looking alone nothing happens', async () => {
    const [, path = '', token = ''] = findLink(await mailed())
    const forged = [
      token.replace(/^\d+/, String(bob.id)),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`,
      token.slice(0, -1),
      `0${token}`,
      `${token} `,
      '1.é',
      `${'9'.repeat(30)}.${'A'.repeat(43)}`,
    ]
    await wants(bob, 'weekly')
    for (const each of forged) {
      if (each.trim() === token) continue
      expect(await failedReply(site.call(unsubscribe, { body: { token: each } }))).toMatchObject({
        status: 400,
      })
      const reply = await site.app.inject({ method: 'POST', url: `/unsubscribe/${encodeURIComponent(each)}` })
      expect(reply.statusCode).toBe(400)
    }
    await site.app.inject(path)
    expect([await rhythm(alice), await rhythm(bob)]).toEqual(['daily', 'weekly'])
  })
})
